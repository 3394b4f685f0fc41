/**
 * The most frequent leaked passwords that satisfy the rules for login passwords: at least 8 characters, starting with a
 * letter, containing a digit. They are in lower case, most frequent first. Source: frequency list of zxcvbn 4.4.2 (MIT
 * License, Copyright (c) 2012-2016 Dan Wheeler and Dropbox, Inc.).
 */
export const BREACHED_PASSWORDS: readonly string[] = `
trustno1 q1w2e3r4t5 qwer1234 q1w2e3r4 password1 jordan23 qwerty123 passw0rd abcd1234 rush2112 blink182 asdf1234
zaq12wsx qwerty12 michael1 usuckballz1 password123 hello123 ncc1701d charlie1 letmein1 a1b2c3d4 mustang1 welcome1
qazwsx123 soso123aljg freedom1 jessica1 fuckyou2 babylon5 yankees1 ncc1701e matthew1 q1w2e3r4t5y6 wrinkle1 access14
letmein2 a1234567 fuckyou1 anthony1 william1 super123 satan666 qwerty12345 gn56gn56 thunder1 chelsea1 shaney14
heather1 richard1 zaq1xsw2 formula1 mailcreated5240 asshole1 zxcv1234 patrick1 cowboys1 gateway1 pa55word scooter1
raiders1 qwert123 a1s2d3f4 diamond1 front242 phoenix1 brandon1 porsche9 ncc1701a arsenal1 jackson1 pa55w0rd agent007
qwerty123456 melissa1 pokemon1 apollo13 rangers1 gordon24 passwor1 fordf150 chicken1 chester1 jasmine1 pass1234
happy123 turkey50 polniypizdec0211 samsung1 abc12345 gandalf1 america1 football1 packers1 sojdlg123aljg zxcvbnm1
lineage2 charles1 nwo4life a123456789 kcj9wx5n r2d2c3po p0015123 shannon1 gfhjkm123 marino13 qazwsx12 qwerty1234
chicago1 madison1 ferrari1 test1234 florida1 superman1 apple123 winston1 panther1 newyork1 zxasqw12 crystal1
monster1 james007 nokia6300 montgom240 rebecca1 bulldog1 fishing1 password2 digital1 tiffany1 dolphin1 fuckoff1
dragon12 z1x2c3v4 newpass6 aa123456 devil666 baseball1 jackson5 qweasd123 scorpio1 cameron1 gabriel1 a12345678
porsche1 rainbow6 monkey12 just4fun spencer1 q2w3e4r5 maxwell1 playboy1 vsjasnel12 iverson3 tiger123 qazwsxedc123
hawaii50 wg8e3wjf mazda626 killer12 master12 michael2 green123 yankees2 drummer1 pumpkin1 pussy123 qwerty11
zxcvbnm123 misfit99 broncos1 password12 qwert12345 dodgers1 vikings1 warrior1 angel123 death666 genesis1 iloveyou2
mazdarx7 qwe123qwe cbr900rr good123654 zachary1 testing1 james123 nascar24 summer99 soccer12 cricket1 rainbow1
peaches1 johnson1 stephen1 mustang6 trouble1 jackass1 pool6123 marines1 nirvana1 asdfgh01 ghbdtn123 nokia6233
penguin1 asdqwe123 pantera1 andyod22 private1 buddy123 zxcasdqwe123 soccer10 buffalo1 success1 voyager1 spartan1
david123 iloveyou1 yamahar1 f00tball sasha_007 money123 cygnusx1 wp2003wp kordell1 noname123 nokian73 chris123
eclipse1 p@ssw0rd captain1 vincent1 perfect1 cartman1 forever1 hallo123 liverpool1 pufunga7782 sabrina1 bubba123
bubbles1 marcius2 stanley1 gateway2 destiny1 ghhh47hj7649 therock1 p4ssw0rd shadow12 beatles1 vanessa1 natasha1
patches1 gsxr1000 blue1234 houston1 power123 awesome1 natalie1 montana1 sammy123 mash4077 dragon69 q1234567
password9 killer123 p0o9i8u7 q123456789 ncc74656 austin31 dilbert1 summer69 starwars1 sasha123 bradley1 trinity1
mustang2 apollo11 melanie1 alexander1 favorite6 trumpet1 thumper1 skipper1 computer1 jupiter1 sunshine1 segblue2
jesus123 charlie2 special1 password01 allison1 abcdefg1 liberty1 frankie1 justice1 playboy2 vampire1 zxcvb123
fuckme69 left4dead england1 password99 popcorn1 lol12345 trooper1 naughty1 asdfg123 weare138 alpha123 paladin1
mercury1 ireland1 claudia1 cantona7 demon666 flyers88 nokia5800 huskers1 stewart1 flipper1 qweasdzxc123 jennifer1
asdasd123 mustang5 buster12 metallica1 nemrac58 love1234 soccer11 aaaa1111 phantom1 abc123456 nokia123 kristin1
arizona1 alex1234 as123456 beckham7 jupiter2 z1x2c3v4b5 dallas22 princess1 care1839 chopper1 winter99 myspace1
qwerty13 start123 lucky123 gizmodo1 a1a2a3a4 nothing1 kenneth1 mike1234 q1q2q3q4q5 raymond1 magic123 spiderman1
kristen1 bigdick1 friday13 qaz123wsx websol76 timoxa94 mazda323 jesus777 india123 nokia5530 rosebud1 sandman1
pippen33 qw123456 nancy123 jeffrey1 a1b2c3d4e5 general1 georgia1 chickenwing101 qq123456 ilya1234 dragon01
a1s2d3f4g5 anthony7 jessica2 batman12 victory1 access99 molly123 quant4307s monkey69 password11 warcraft3 qazxsw123
lincoln1 hooters1 sooners1 groupd2013 daniel12 favorite2 detroit1 timothy1 douglas1 skeeter1 angel666 chevys10
madonna1 atlanta1 service1 dima1995 zaq12345 madala11 gregory1 hunter12 futyn007 dragon123 friends1 rocky123
manager1 nokia5130 smoke420 cobra427 freedom2 michelle1 welcome2 admin123 alabama1 fantasy1 fireman1 stinger1
windows1 prelude1 fordf350 michele1 q1q2q3q4 qazwsxedc1 porsche911 barbara1 sublime1 pussy4me newproject2004
j3qq4h7h2v anthony2 gfhjkm12 dreamer1 maximus1 enter123 sevenof9 corvet07 kevin123 a123456a sk8ordie revival47
ironman1 nemesis1 blessed1 pegasus1 qwerty78 everton1 zxcvb12345 master123 newpass1 heather2 snowman1 nokia5230
capital1 l58jkdjp! charlie123 monkey123 asd12345 hershey1 newport1 buckeye1 rb26dett anna2614 rt6ytere fred1234
pontiac1 austin316 sanity72 control1 teacher1 qwerty99 pyramid1 lebron23 cynthia1 russell1 frank123 qwaszx12
russian7 deborah1 germany1 elvis123 birthday4 fordf250 spartan117 antonio1 account1 asdfg12345 homer123 shadow01
unicorn1 qaz12345 element1 blaster1 yamahar6 lindsay1 seattle1 lakers24 flowers1 music123 domainlock2005 express1
pokemon123 x72jhhu3z r4e3w2q1 basebal1 mustang9 packard1 jbond007 cbr600rr jason123 payton34 chipper1 p455w0rd
phoenix2 october1 panties1 william2 hd764nw5d7e1vb1 pandora1 saab9000 f15eagle january1 zz8807zpl soccer13 bruno123
mustang8 camelot1 rebbyt34 vegas123 lotus123 cezer121 blondie1 hawkeye1 dragon11 trucker1 francis1 emmitt22 monkey11
a1a2a3a4a5 lindsey1 dragon13 qazxsw12 hitman47 eleven11 summer12 c3por2d2 loveyou2 r2d2c3p0 brother1 open1234
trojans1 luv2epus pepsi123 password3 chrissy1 loveme89 boris123 qwerty777 holiday1 miranda1 jamaica1 qwerty77
black123 ducati99 samantha1 redneck1 usmc0311 monique1 redwing1 steve123 christy1 andrew12 westham1 jimmy123
golfing1 year2005 indiana1 loveyou1 blackie1 summer01 strange1 master01 michael3 pentium4 mapet123456 phillip1
charles2 mustang0 redhead1 buster01 rooster1 matthew2 bastard1 skyline1 october2 ilya1992 pioneer1 thelast1 ronaldo7
postov1000 charlie3 mustang3 tigger12 nokia3250 titanic1 michael9 whatever1 crimson1 master11 joshua12 aaaaaaa1
shadow11 gy3yt2rgls fuckyou123 kitty123 orlando1 red12345 oscar123 derrick1 viper123 shooter1 chocolate1 abigail1
lucky777 zaq1xsw2cde3 letmein22 nokian70 footbal1 trustn01 asd123asd lucas123 sampson1 dragon99 wildcat1 orange12
favorite7 scruffy1 network1 favorite8 brianna1 slayer666 mnbvcxz1 pi314159 brian123 thomas12 q1234567890 passion1
birthday1 boscoe01 simpson1 tristan1 qweqwe123 welcome123 tigger01 ghbdtn12 michael8 classic1 malcolm1 admin18533362
internet1 justin12 million1 winter12 shadow13 toshiba1 damage11 trader12 dragon88 metal666 roberto1 katrina1
bigfoot1 nonrev67 qqqq1111 mounta1n player69 warcraft1 hendrix1 vlad1996 sarah123 nicholas1 dominic1 water123
wallace1 catfish1 patrick2 college1 connect1 cvzefh1gkc ginger12 camaro69 peter123 camaroz2 system32 temp1234
nokia5300 richard2 maverick1 clinton1 michael7 dragons1 sunrise1 oceans11 silver12 isacs155 fatluvr69 country1
porn4life xsw21qaz indians1 death123 slayer66 dima1996 ronaldo9 peaches2 taylor12 oc247ngucz integra1 nikita123
george12 qwerty22 w1w2w3w4 andreas1 slipknot1 psychnaut1 caitlin1 john1234 slimed123 save13tx nokia3310 scott123
daddy123 police22 toronto1 daniela1 whitney1 qwer4321 sk84life qwaszx123 vermont1 chevyz71 kelly123 trigger1
ronaldo1 halflife2 dragon22 bulldog2 pepper12 bennett1 jackson2 qwerty00 whiskey1 anton123 password4 vaz21099
denis123 matthew7 hot2trot ashley12 stealth1 bernard1 airforce1 shotgun1 hansolo1 larry123 charlie9 garrett1
seven777 thomas01 chevy454 azerty123 maria123 elvira26 mustang7 sandy123 newlife1 piazza31 robert12 transam1
steelers1 samurai1 colleen1 q1w2e3r4t soldier1 password69 soccer15 ladybug1 bobby123 t34vfrc1991 shadow123 jonathan1
chicago2 scooter2 freedom7 stalker1 redsox04 kirill123 hammers1 patriot1 patrick9 scooby12 defiant1 cupcake1
password0 harley01 tequila1 q8zo8wzq hunter01 london12 falcon16 amanda18 harry123 dragon76 packers4 biteme69
martini1 soccer14 bella123 celtics1 batman99 siemens1 chester2 winston2 qazxsw21 password1234 daniel123 ferrari3
ricardo1 ibill123 valerie1 steeler1 biscuit1 babygirl1 shadow69 free4all dad2ownu qwe123asd chicken2 qwerty21
lost4815162342 britney1 colt1911 doma77ns birthday21 lakers32 melissa2 nokia5310 broncos7 usmc1775 a7777777 smile123
quality1 elaine22 jordan12 hockey12 chelsea2 marissa1 billy123 amanda12 hhhhhhh1 mazdarx8 jennife1 victoria1
gizmo123 venom121293 kelly001 dragon66 tyler123 samsung2 locoman0 nokia6303 gandalf2 cookies1 foxtrot1 brendan1
welkom01 gnasher23 sherman1 dragon23 art131313 ranger99 favorite5 grizzly1 durango1 nolimit8 l8g3bkde sailing1
dragon10 google123 password6 aragorn1 testing123 polaris1 slipknot666 preston1 verizon1 sexy1234 asdfgh12 cadr14nu
sochi2014 orange44 freddie1 katie123 master99 charmed1 just4you batman69 hihje863 postov10 buster11 cracker1
qwertyu1 ranger01 dapzu455 amanda69 mark1234 hunting1 ready2go charger1 sweetie1 pickles1 cidkid86 bethany1 history1
daisy123 clemson1 access12 naruto12 austin12 pxx3eftp satana666 soccer22 review69 sunny123 striker1 qwertyu8
roman123 vlad1997 xaccess2 jessica0 combat123654 avenger1 letmein6 assa1234 student1 gznybwf13 aq1sw2de3 teddy123
dgl70460 william3 qweasdzxc1 andre123 soccer17 bentley1 bigtits1 ferrari2 secret12 tornado1 onelove1 password5
mine2306 tigger69 bondage1 hardcore1 google12 charlie5 password7 rasta220 qwerty66 freeman1 acun3t1x plastic1
simon123 dasha123 tarheel1 xsw23edc qwerty123456789 house123 zzzzzzz1 take8422 fffffff1 precious1 mama1234 iceman69
pentium1 another1 qqqqqqq1 devilmaycry4 qw12er34 fortune12 poiu0987 courtney1 summer06 efbcapa201 farside1 nolimit9
michael6 good12345 senha123 scarface1 smith123 memphis1 surfing1 naruto123 pokemon12 falcons1 charlie6 dragon21
love4ever thunder2 studio54 summer05 ranger21 jamesbond007 note1234 monty123 monkey13 ptfe3xxp ddddddd1 misty123
inferno1 lucifer1 twisted1 casey123 q12345678 tommy123 sasha1996 martin12 xakep1234 pervert1 bitch123 a987654321
kennedy1 year2000 picasso1 swimmer1 dont4get wrest666 forest11 candy123 jericho1 ghjcnj123 freedom3 letmein7
yy5rbfsc jack1234 nokia8800 gsxr1100 charlie7 jameson1 fucker69 qq123456789 anna1987 amber123 wrinkle5 asd123456
michael0 angel777 shadows1 summer20 asterix1 pass1word pizza123 abcde123 grendel1 harley12 shelley1 omega123
jg3h4hfn zx123456 machine1 asdfgh123 extreme1 nokian95 qwer12345 monkey10 hockey99 bbbbbbb1 dolphin2 winter01
barkley1 zxcvbnm12 sevilia1 pebbles1 gabriel2 jjjjjjj1 pikachu1 r3ady41t webster1 monkey99 comcast1 asdfghjkl1
fuckyou7 vlad7788 huskies1 rusty123 br00klyn patrick7 d1i2m3a4 bridget1 hzze929b ghbdtnbr1 abcdef123 mom4u4mm
goddess1 leonard1 thor5200 compaq12 ozlq6qwm asdfghjkl123 asfnhg66 alex2000 maggie11 fhntv1998 sanity729 nokia7610
hunter11 buttons1 elizabeth1 m6cjy69u35 cookie12 mikey123 iqzzt580 nascar88 shadow99 ikilz083 brandon2 johanna1
danil8098 blowme69 baseba11 joker123 zenit2011 cab4ma99 orange77 pacific1 yvtte545 m1234567 fallout2 crazy123
griffin1 george01 boeing74 cuddles1 aaron123 ffvdj474 monster2 zx123456789 zxcvbn12 gangsta1 hopkins1 spider12
zxcvbn123 london22 lzbs2twz sasha1995 mittens1 d1lakiss qwertyuiop123 cheese12 edward12 michael4 jamie123 thomas123
patrick8 sasha2010 mwq6qlzo hunter123 hamster1 klingon1 nick1234 golfer23 kodaira52 fucker11 emerald1 batman01
eagle123 saun24865709 martina1 michael5 monkey77 triumph1 master22 sdsadee23 bowling1 maynard1 secret123 xzsawq21
yfcnz123 phantom2 primetime21 madison2 fiction7 ssptx452 q1w2e3r4t5y6u7 money4me fish1234 romeo123 ab123456 gorilla1
andrey123 dima1997 bangkok1 letmein0 london99 tmjxn151 yqlgr667 charlie4 summer11 mustang4 nohack04 kimber45
dupont24 ghost123 mercury7 diablo66 birthday54 thunder5 purple12 koetsu13 mimi92139 corvett1 snapper1 support1
shygirl1 master69 gerrity1 tennis12 admiral1 eagles05 kenny123 loser123 myxworld4 nokia6120 johnny69 love2011
brownie1 baggins1 dallas12 eternal1 chase123 eae21157 gfif1991 ingram01 bingo123 mission1 carrera4 qwertyuiop1
midnight1 ranger11 asshole2 adriana1 bassman1 shearer9 shirley1 carolyn1 aa123321 dima12345 paul1234 alberto1
csfbr5yy episode1 pilot123 summer10 poiu1234 zidane10 caveman1 alex1996 fighter1 abc123abc monkey22 password13
amsterdam1 letmein9 annette1 welcome12 hamburg1 boobies1 mick7278 yxkck878 angelo4ek sparky12 samsung123 vw198m2n
zaqwsx123 makeksa11 polniypizdec110211 speaker1 alex1990 oakland1 superman2 assword1 z123456789 gsgba368 luv2fuck
scarlet1 maxim1935 arsenal2 allstar1 wenef45313 masha123 oqglh565 dragon00 jo9k2jw2 clayton1 incubus1 flash123
dima2010 sonic123 shock123 cubbies1 bmw325is searock6 fallout3 badboy69 hello1234 tm371855 prodigy1 matthew8
harley11 kickass1 theresa1 metro2033 yzerman1 access20 mallard1 fuckyou69 bigdog69 dima2000 skorpion39 dima1234
hawkdog79 warrior2 monkey01 w8gkz2x1 qwe123rty dima1993 cowboys2 plumber1 yes90125 weather1 oranges1 celtic88
amanda11 london11 bandit12 killer666 thunder7 djg4bb4b ajcuivd289 colole57 dallas21 s456123789 sex12345 nascar20
buffy123 playstation3 qweasd12 benjamin1 trinity3 birthday299 qwerty88 qwerty321 quantum1 joseph10 pentium3 sveta123
fkbyf001 pistons1 thegame1 tuczno18 paulina1 fkg7h4f3v6 king1234 hshfd4n279 holland1 florida2 redskin1 jordan11
p4ssword jenny123 paris123 lakers34 hustler1 nokia3230 marilyn1 parol999 ford9402 phish420 zaq11qaz anfield1
curious1 b0ll0cks z1234567 tempest1 delta123 bmw330ci boston12 football12 zxc12345 lvbnhbq1 nolimit5 snickers1
justin11 beautiful1 passw0rd1 az123456 printer1 carlos12 qwerty10 danny123 sc0tland winter11 soccer99 cyclops1
dragon77 rattolo58 sony1234 q1w2e3r4t5y6u7i8 pedro123 maurice1 nicolas1 matthew9 pepper123 firefly1 jessica8
casper12 volvo850 chelsea0 seventy7 qaz1wsx2 rocket88 roberts1 volvos40 jillian1 arwpls4u football2 sabbath1
strider1 killer66 nihao123 camille1 sk8board hannah01 masters1 pitbull1 panther2 cookie59 sebastian1 zqjphsyf6ctifgu
fuck1234 january2 nathan12 scorpio7 vfrcbv123 roger123 soccer21 ghhh47hj764 rainbow2 ou8124me maggie12 k1234567
jessica7 pentium2 shadow1212 section8 suzanne1 rambo123 johnson2 sausage1 rangers9 lobster1 bigdaddy1 freddy12
bailey12 horny123 beaver69 cubswin1 matt1234 noncapa0 starwar1 spring99 yyyyyyy1 sasha1234 holly123 jalal123
pepper01 tvxtjk7r mookie12 qwerty2010 master23 tyrik123 el546218 my3girls natalia1 iforgot1 k9dls02a qcmfd454
zz123456 gilbert1 lhbjkjubz2957704 devo2706 roman222 florian1 tamwsn3sja apples12 carter15 password00 roberta1
cisco123 a1l2e3x4 lorenzo1 monica69 blowjob1 celtic67 honey123 august16 t3fkvkmj lsdlsd12 chuckie1 kingdom1 qwerty89
jordan22 fetish01 yanshi1982 ginger11 honda250 zaq123wsx blunt420 vlad1995 mercedes1 richard7 hockey10 julie456
penis123 jordan01 love2000 anna2000 baby2000 onlyone4 raven123 gunther1 bob12345 nokia5228 jasper12 qazwsxedc12
password10 collins1 baseball2 security1 parol123 qaz123456 blood123 gfhjkm007 anna2010 guitar12 bitches1 camaroz28
tomcat14 andrew123 password23 joshua01 war3demo carlton1 brandon0 qwerty666 dante123 uiegu451 kondom25 natas666
yankees0 diablo666 lesbian1 lena2010 biteme12 clapton1 tracker1 snoopy12 macsan26 mason123 welcome8 nascar99
monday12 asdf12345 sophie12 charlie8 philips1 banana12 shaolin1 master10 manning1 goforit1 soccer16 texas123
eeeeeee1 unknown1 polo1234 sssssss1 soccer20 alex2112 brittany1 dakota12 vg08k714 danielle1 matrix12 opopop11
peekab00 dimon4ik buffett1 denman85 porno123 daytona1 bunny123 chicago7 merlin12 joseph12 chelsea6 dorothy1 linda123
warlock1 dumbass1 sergey123 xxxxxxx1 birthday5 a9387670a cessna17 liverp00l amadeus1 pirates1 mandy123 julia123
angela12 christopher1 hockey11 letmein3 killer99 andrew01 chelsea8 a19l1980 gunners1 artem2010 abcde12345 nokia6230
thunder9 windsor1 garfield1 ferrari5 running1 pepper76 volvos80 karolina1 deadman1 summer00 merlin69 dolemit1
johnny99 jumpman23 george11 cornell1 golfer12 bailey01 isabella1 moose123 western1 frogger1 redwood1 d78unhxq
peanuts1 dakota01 mustard1 charles3 anna1988 qpful542 shrike01 harley69 lsia9dnb9y mario123 funtime1 baseball3
baller23 griffey1 minecraft123 ranger12 finance1 dignity7 lvjdp383 miller31 jasmine2 shane123 natasha2 london20
bologna1 gfhjkm22 marina123 quant4307 walleye1 wildman1 my2girls qwerty02 suckit69 explore1 mickey12 slayer69
rlzwp503 harmony1 dusty197 killer11 killer23 q123456q service01 jordan123 duncan21 winnipeg261 fk8bhydb boy4u2ownnyc
laura123 parker12 z123456z andrew13 generic1 lopas123 painter1 gfxqx686 sh4d0w3d diamond3 hxp4life pokemon2 cde34rfv
pasha123 a1234567890 birthday3 damned69 martin11 wutang36 phoenix7 qwert1234 sally123 c43qpul5rz lithium1 horndog1
runescape1 chargers1 breaker1 len2ski1 nokia3110 ktnj2010 merlin01 bearcat1 thomas11 creative1 quattro6 simba123
qwert54321 beavis69 imagine1 cruiser1 kimberly1 dallas11 cocacola1 password8 whisper1 artem123 spike123 jor23dan
morgan12 oktober7 aezakmi1 serega123 qwerty111 asdfjkl1 silver11 sd3lpgdr melinda1 freedom5 soccer18 dima1992
hunter99 trailer1 an83546921an13 blade123 mxaigtg5 forrest1 ironman2 stanley2 adxel187 dima1990 tennis11 melissa6
gobuffs2 thomas19 dima1999 anna1989 asdfghj1 abcd12345 harrison1 tiffany2 compute1 batman11 charlie0 august11
jigei743ks adam1234 ggggggg1 tigers01 jacob123 richard3 cjxb2014 matilda1 r3vi3wpass emerson1 warlord1 masterb8
bb123456 mangust6403 karen123 bigtime1 yr8wdxcq m1garand august31 christian1 sniper12 joker666 eastern1 voyager2
iloveme1 herbert1 premier1 eric1234 s7fhs127 august25 mouse123 killer69 spawn666 austin123 sam138989 prince12
wolfman1 qwerty33 qwerty69 rammstein1 access123 testing2 nintendo64 aa1111aa rainbow7 poppy123 monkeys1 amanda01
solomon1 jasmine5 counter1 giants56 summer04 bartman1 chloe123 vlad1998 random123 casper99 italian1 qwerty23
grace123 orioles1 redbull1 ziggy123 logan123 mancity1 qwe123456 carlos123 dragon25 eduardo1 gfhjkm11 nintendo1
fantasy7 abc123456789 snake123 chronic1 favorite3 bailey10 hockey19 auckland2010 camaro67 banshee1 tigger11 yellow12
braves10 sucker69 frances1 bigboy12 qawsed123 w2dlww3v5p goober12 monkey21 eclipse9 diablo11 maureen1 gillian1
ekaterina20 astra123 windows9 vika2010 butterfly1 merrill1 austin01 leto2010 aaa12345 gerrard8 knight12 austin11
fetish69 thunder3 volvov70 matrix69 august12 mariner1 muffin12 traffic1 ivan2010 hunter69 dolphins1 jeff1234
brooklyn1 dragon64 redwings1 b929ezzh zxc123zxc neptune1 nokia6630 nokia5320 birdman1 adv12775 dude1998 nicole11
stalker123 zippy123 nemvxyheqdd5oqxyxyzi hotsex69 patrick3 freedom4 sweet123 skate123 caroline1 madison9 sebora64
everest1 chicago0 pon32029 chinese1 oleg1995 beaches1 monkey23 yujyd360 shadow22 money111 monica12 veritas1 booboo12
bacardi1 peanut12 spencer2 p1234567 bandit01 magpies1 summer07 chester7 ashley11 balloon1 master77 qaz12wsx project1
vanilla1 u4slpwra chaos666 harley99 nissan350z schalke0 branden1 marie123 andrew88 o4izdmxu scorpio2 volvo240
blue2000 station1 clipper1 lakers12 acmilan1 sintesi07 nascar03 carter12 iloveyou123 pancake1 heat7777 gordolee85
forever21 melissa7 dima1994 madison3 soccer123 scottie1 lololyo123 bill1234 lol123123 superma1 calvin69 october8
ljb4dt7n at4gftlw cahek0980 dallas01 chelsea4 lickme69 alex1959 barney12 alex12345 lp2568cskt s1234567 anthony0
browns99 master00 alino4ka wizard12 a32tv8ls qmpq39zr jtuac3my sr20dett glock9mm str8edge bulls123 scrappy1 morgan01
kr9z40sy cobra123 alfredo1 penny123 family01 happy100 fifa2008 chevy350 panties2 nhfdvfnjkju123 logitech1 canucks1
marlboro1 hummerh2 yankees7 sydney12 tuesday1 beast666 hockey21 andrea11 scooter7 tigers12 dreamer2 woody123
henry123 paula123 sasha12345 matrix13 radical1 coolguy1 sasha1988 sunsh1ne bonjour1 lol123456 tiger200 tanya123
alex1973 alex1991 arnster55 mama2010 junior12 devil123 max33484 alena2010 a123456z dusty123 phoenix8 merlin99
elmer251 patrick0 milkman1 nicole12 beatles4 number20 jake1234 bogdan123 redskins1 coolman1 gateway3 fuckyou0
booboo69 bosco123 cbr929rr allan123 andrew22 pussy101 camp0017 timmy123 hunter22 gustavo1 alex2010 corrado1
k123456789 soccer69 jordan99 mammoth1 fighting54 pepper11 married1 juggalo1 mystery1 coleman1 steve121 celeste1
junebug1 gretzky9 garbage1 ranger02 mailman1 greenday1 sanchez1 annie123 madison0 snowball1 murphy01 jackpot1
electra1 ghjcnjnfr1 smokey01 trouble2 yourmom1 sparky11 ruslan123 asshole3 raiders2 schmidt1 sparrow1 poochie1
dalejr88 birthday10 lucifer666 knights1 wifey200 ololo123 central1 poker123 noodles1 soccer33 master13 ceisi123
jarhead1 smile4me aa123123 smokey12 mickey01 robert01 money777 susanne1 asdasd12 mommy123 wrestle1 fuckyou12
f8yruxoj left4dead2 diana123 nikita2000 fbi11213 keith123 peacock1 asdf67nm demon123 de1987ma mama1963 megaman1
australia1 playstation2 slacker1 robert11 panda123 gfhjkm13 command1 iiiiiii1 gemini69 legolas1 dima1985 yellow22
ac2zxdty eatshit1 birthday6 batman23 animals1 nokia6230i eminem12 hunt4red cptnz062 ndshnx4s wnmaz7sd alabama123
cmu9ggzh p2ssw0rd liberty2 baby1234 sureno13 freedom9 october3 password21 rainman1 bulldog7 summer98 mustang69
eclipse2 up9x8rww deflep27 junior123 flower12 william7 spurs123 moom4242 scoubidou2 loosee123 iloveme2 lewie622
kzsfj874 daniel01 peace123 phish123 masha1998 kayla123 ch1tt1ck matthew3 access22 junior24 monkey24 vaz21093
bigblue1 trident1 orange99 bengals1 mtwapa1a ranger69 samanth1 monitor1 mistral1 batman123 fuckoff2 kenwood1
ranger75 boeing77 xohzi3g4 kfnju842 extra300 missy123 nccpl25282 buster22 broncos2 letmein4 asdf4321 psw333333
geolog323 a3eilm2s2y monkey20 summer03 uto29321 spam967888 porn1234 winter00 c0rvette diamond7 beaver12 chicco22
ancella2 vika1998 pandora2 william8 jesusis1 anna1986 madness1 ck6znp42 falcon11 michael12 bsheep75 rrrrrrr1
almaz666 william6 nastya1995 panther5 vfvf2011 qazwsx1234 usethis1 buster21 hopeful1 christa1 fktrcfylh1 vika1996
redfish1 andrei123 emily123 braves95 anthony3 roxanne1 dragon20 debbie69 yankees4 dustin23 thomas13 sasha1992
willie12 celtic1888 grandma1 matrix01 j0nathan asdfg1234 artem777 bmw318is rambler1 yankees9 magical123 gfhjkm135
melanie2 x4ww5qdr leather1 samuel12 killer01 hannah11 jesse123 natural1 shithead1 bubbles2 adidas12 cameron2
a7nz8546 fkojn6gb rachael1 purple01 zldej102 ab12cd34 lg2wmgvr feather1 lena1982 unb4g9ty felix123 december1
nicole23 bigsexy1 justin10 falcon12 qwerty01 bbbbbb99 allen123 monkey00 hpmrbm41 maxwell7 kendall1 alexis01 vlad1994
forward1 knopo4ka duchess1 fuckyou6 eddie123 nike1234 robert123 bristol1 wltfg4ta rocket69 master21 panthers1
liza2000 paintball1 cbr600f3 xsvnd4b2 wert1234 dm6tzsgp ytdxz2ca oooooo99 taylor01 p3nnywiz rdgpl3ds s123456789
russell2 lindros8 slot2009 october6 monkey66 polopolo09 poohbear1 racecar1 william0 carla123 lespaul1 trooper2
fitness1 selfok2013 icecube1 theking1 swinger1 rhind101 rachel69 faith123 phoenix3 ashley69 mickey11 m7hsqstm
guinness1 flatron1 logging7 yousuck1 asd123qwe diamond6 depeche1 sasha2000 gandalf3 ashley01 elena123 cassidy1
pgszt6md scooter6 bailey11 maxwell2 ducati74 balla007 kirsten1 andrew10 tigger99 cyclone1 bluesky1 eagles20 dima1989
august17 ccccccc1 slick123 knight99 anna1984 robert99 l0swf9gx crystal2 eus1sue1 melissa3 elliott1 skywalk1 gb15kv99
sasha1997 rebecca2 ipswich1 tatiana1 bruins77 black666 birthday100 slava123 katya123 wwwwwww1 s5r8ed67s cowboy22
qwe1234567 safeu851 kekskek1 thomas10 vika2011 scoubidou6 barney11 maximus2 master55 diego123 nokia2700 yankees3
ak470000 honda123 microlab1 andrew11 booster1 sanders1 johnson4 kd189nlcih bear2327 roma1993 dima1998 skinner1
lisa1234 spanner1 nikki123 chuck123 batman13 mets1986 nikita95 hammer22 carolina1 buster99 vfvfgfgf123 zombie13
tiribon12 chicken123 b1234567 cooking1 chelsea7 nathan01 ybrbnf_25 mickey22 hammer99 bmw750il ginger123 honda200
firstone123 lexmark1 baseball12 plat1num justin01 superman123 spankme1 arianna1 cool1234 teufelo7 gizmodo2 rz93qpmq
qmezrxg4 moom4261 hkger286 klaudia1 walkman555 ranger98 w1234567 sputnik1 thesims2 babyboy1 daniel21 hithere1
bond0007 r1234567 lotrfotr34 mclarenf1 dragoon1 mermaid1 roman777 brandon7 august15 nikita1998 jaydog472 canada99
love2010 eleanor1 artemis1 kristina1 anarchy1 private5 toyota91 wwr8x9pu harley13 kolia123 miami305 wow12345
asdfasdf1 retired1 gateway9 alex1995 cowboy12 cvzefh1gk dima2009 keywest1 napster1 alice123 margaret1 pumpkin2
mymoney1 sebring1 marcus12 ym3cautj silver99 forest99 qazwsx12345 dragon666 france98 ps253535 zjses9evpa sniper01
good4you station2 school12 mvtnr765 tiburon1 brandon6 piccolo1 children2 ou812345 amazing1 dolphin9 heather6
miracle1 spring12 barney01 fathead1 brandy12 irish123 mclaren1 cooper12 newpass3 misfits1 rangers2 silver33 saisg002
deskjet1 orange10 richard0 c43dae874d wrestling1 qweqwe12 balls123 marshal1 gtogto43 kenshin1 system12 scorpio6
steph123 rocket21 baseball9 nicole18 gfgf1234 beer1234 maryann1 donna123 adidas11 daniel11 mama12345 cessna15
seattle2 azfpc310 kumar123 fsd9shtyu sinatra1 bigbird1 cbr600f4 chico123 glasgow1 antonio2 n8skfswa z1z2z3z4
monster7 alex1985 abcdef12 sharon69 dro8smwq hambone1 euro2000 august24 rvgmw2gl fcc5nky2 messiah1 beastie1 alex1987
channel1 beverly1 cantona1 purple11 apples123 winner12 xyh28af4 vurdf5i2 october7 mdmaiwa3 anthony9 brother2
rodman91 alexandra1 blood666 hockey22 misha123 robert22 athlon64 soccer09 cheetah1 anna1985 liberty7 sat321321
zebra123 prophet1 redsox11 danny001 asdzxc123 junior01 semperf1 bettis36 anna1990 anna1997 cameron7 zaphod42
dude1234 medical1 ds7zamnw purple13 tango123 corvette1 dfyjdf846 marley12 seabass1 jazzman1 uuuuuuu1 j1234567
basketball1 mama1961 matrix99 tigers11 ownage123 capital5 gbplf123 ttttttt1 justin123 agapov58 bad11bad merlin11
spartak1922 fortune1 anna1994 qwest123 sierra01 oleg1994 zaq12qaz battery1 killer13 alina123 groucho1 golfer01
ventura1 chelsea3 easy1234 robin123 rockets1 nothing0 joker777 batman21 a123456b diamond2 sassy123 table54781
sparky99 venom123 love4you dave1234 darkness1 p0o9i8u7y6 kathryn1 antonio3 edward11 something1 q1w2e3r4t5y6u7i8o9p0
vladimir1 honda450 fylhtq95 fjnq8915 vova12345 brandon3 homerun1 dogbert1 cottage1 baseball7 anna1982 olga1976
icam4usb chicken0 gbpltw123 cessna172 turbo911 maprchem56458 thekiwi1 grandam1 dance123 ppppppp1 mmmmmmm1 nnnnnnn1
f14tomcat jordan18 gandalf0 peanut11 techn9ne jake5253 anthony5 jessica6 amiga500 phoenix9 killer77 jhrl0821
irina123 matthew5 gangster1 jordan45 tracy123 gundam00 slayers1 bermuda1 qazwsx11 backd00r cheyenne1 warhammer40k
george13 bananas1 lovezp1314 buster69 terry123 higgins1 jeffery1 riptide1 monster9 hesoyam1 rabbit66 andrea12
jasmine7 maestro1 buster123 momoney1 destiny2 trim7gun prince11 fifa2010 amanda10 joxury8f moondog1 optimus1
marlins1 balance1 london01 comfort1 cartman2 america2 losfix16 nicolas2 maddog69 igor1234 belinda1 gborv526 awesome2
mike12345 raptor22 schalke04 fuckyou8 ultra123 n7td4bjl jackie69 camel123 andrea99 booboo11 justine1 zsecyus56
goodbye1 zxcvb1234 dune2000 pr1ncess nuaddn9561 werty123 matchbox20 qwertyuiop10 phezc419hv panther6 spiderman3
albert12 summer13 hesoyam123 jayhawk1 nastya2010 softball1 zxcasd123 mariana1 freedom0 green420 vlad1234 spring00
vitalik1 river123 power666 qazxswedc123 richard9 access88 qwer1209 mamma123 scratch1 cassie12 maks2010 hollywood1
elena2010 bobcat12 bruce123 g1234567 eagles12 jabroni1 chicago5 scooby11 dogphil3650 monitor2 macross7 ofclr278
hedj2n4q iampurehaha2 obvious1 mccool24 apache64 surfer69 zxcvbn123456 odt4p6sv8 looking4 queenas8151 angel007
antonia1 patriots1 sd3utre7 pinky123 golf1234 staples1 aaa123456 mother12 anime123 hello101 golfer11 pyramid7
hammer69 zse4xdr5 sophieh6 hockey69 beloved1 persona1 hannah12 sparky01 soccer19 nigger123 andrew99 liza2009
den12345 hondas2000 birthday2 cumshot1 mark3434 canada12 bonkers1 ivan1985 joshua19 star1234 scanner1 ujhjl312
nokia7070 merlin21 is3yeusc partner1 nokia5200 animal2000 wowlook1 shadow14 alucard1 manchester1 jackoff1 world123
spider10 windows2 camilla1 natasha123 d1234567 lzhan16889 sys64738 sword123 dragon98 lexus300 pheonix1 alex1974
shadow88 igor1994 champ123 changeme1 frogman1 august22 tyson123 al123456 fucking1 looking1 brennan1 fifa2011
ashley123 amanda123 azerty12 onlyone1 denis1988 snoopy69 skydive1 baseball11 buster88 walter34 horizon1 thecure1
adrianna1 nuggets1 falcon69 qwerty09 doggy123 vader123 orange11 g0dz1ll4 chester3 hotshot1 terrell1 epsilon1
lillian1 purple69 shopping1 juvis123 boing747 christo1 joshua99 ssbt8ae2 shadow10 qwerty789 richard8 jesus4me
richard4 a8kd47v5 polly123 matthew0 pass1wor freedom8 alina1995 mustang67 jhnjgtl12 creativ1 genesis2 romance1
change12 jimbo123 cutlass1 craig123 nokia6131 hoosier1 gonzo123 valeria1 matrix123 nokia6500 vova1994 english1
bondra12 zpflhjn1 jasmine3 arsenal0 control2 mama1964 diamond4 music101 beckham23 hornets1 alex1971 connor11
redsox20 tttttt99 pantera6 journey1 xiaoyua123 justice2 taylor11 jessica3 sasha777 anna2002 kanmax1994 thunder0
qwerty32 shampoo1 tsunami1 hammer11 rolltide1 compaq123 subzero1 alex1981 redcar27 thomas21 hammer12 cosmo123
jack5225 cougars1 alex1975 science1 picture1 sparkle1 service321 christi1 cooper11 chelsea5 cookie13 rfnthbyf1988
angus123 samsung9 wasdwasd1 ashley19 georgia2 qwertyuiop12345 andy2000 massive1 suckmy1k passat99 nastya1996
cqub6553 roma1990 diamond0 girls4me plhy6hql cameron0 oleg1996 hollister1 cecilia1 onetwo12 ojp123456 stickdaddy77
lollol123 misha1111 junior13 shannon2 orion123 jazz1234 gandalf7 brett123 br1ttany bigboy11 punter12 irina1991
asdfgh123456 ikmvw103 hockey13 muffin11 artem1992 andrey1992 sheldon1 nikita99 fubar123 eight888 express2 spartan11
brenda69 vika1995 denis1984 panther8 h9iymxmc racecar02 jeffrey4 hockey14 pimpin69 cherry12 diablo23 stratus1
love5683 lambert1 joseph11 heather9 anthony8 burton12 crystal0 miller01 cthulhu1 welcome01 phoenix5 lauren12
phoenix0 password22 matthew6 bujhm123 guitar11 compass1 jack2000 xxx12345 qwertyu123 brandon00 munson15 z3cn2erv
baggio10 orange88 pablo123 mattylad10 f1f2f3f4 fm12mn12 burrito1 ooicu812 boredboi4u euclid90 warrior3 mankind1
peugeot406 money100 boobies2 success2 kkkkkkk1 nikolay9 david777 enron714 trinity7 michael123 birthday26 bryan123
apollo12 aa123456789 deadmau5 andrew17 hardc0re pitcher1 dakota99 outside1 porol777 empire11 lakers08 trigger2
palermo1 dasha2010 silver77 tema1234 qazqaz123 miller12 indiana7 patch123 welcome5 money1234 dannym88 lover123
s12345678 packers2 penguin8 awo8rx3wa8t pudding1 asshole123 santana5 dracula1 savannah1 pokemon00 jordan20 london123
thesims3 afrika2002 parker01 bri5kev6 yelena03 highway1 qaz123wsx456 manning18 ihateyou1 rooney10 michell1 silver22
monica01 elephant1 ukqmwhj6 megan123 stunner1 lollol12 alex1983 explorer1 alex1982 airborn1 aaaa1122 play2win
artcast2 thunder6 kamelia2011 caleb123 good4now tolkien1 s1s2s3s4 lolkin09 yamaha12 heather7 favorite4 havefun1
sweet666 jackson6 macross1 cookie11 martin01 silver01 nicole01 v123456789 network2 flyers99 avalon11 porsche2
qwerty100 bluedog1 andrew23 summer22 beardog1 nastya123 default1 brillo021 guitar69 ninja123 alex1976 mike2000
kudos4ever coffee11 tdeir8b2 tootsie1 zaqxsw123 iloveyou12 cookie123 julie123 tigger13 mama1970 codered1 victory7
chris200 el345612 f22raptor zxcvbnm123456789 digital2 space199 serious1 nata1980 redsox19 zse45rdx marco123 hammer01
alina2011 alina1994 alina1998 adidas69 krypton1 sweetu70 steam181 rockstar1 gfhjkm777 stella12 fender12 palace22
laser123 banaan123 hooters6 welcome4 winner69 phantom3 lukas123 pakistan1 madmax11 willow01 fucker12 ashley24
sasha1993 sanders2 zaq!2wsx mickey69 jackson9 alina2010 c0l0rad0 kki177hk winston6 am4h39d8nh command2 lainth88
mazdamx5 colin123 qwaszx11 pqnr67w5 odgez8j3 superman12 asdasd22 frost1996 casper123 newyork2 bruiser1 prelude9
kenneth2 qwerty999 united99 beano002 lincoln7 harley03 sasha2011 joshua11 stupid12 sport123 collect1 trrim777
redsox99 iloveyou11 newlife2 chicago3 alexand1 mike1969 silence1 sataniv1993 sasha1994 santa234 meister1 reggie31
august29 joshua10 zorro123 redsox12 nokiae51 tu190022 not4u2no olemiss1 sunshin1 california1 gators96 captain2
pineapple1 mko09ijn paraklast1974 hobbes12 fatal1ty caution1 summer08 metal123 eddie666 playboy6 vkfwx046 jzf7qf2e
startrek1 killer00 rugby123 coffee12 calgary1 venture1 dragon19 brandon8 bg6njokf satchel1 critter1 ginger69
anthony4 nipples1 yuitre12 artem1995 alex1998 boating1 movies23 cowboys0 corsair1 hotdog12 h200svrm chris999
vaz21074 process1 dragon05 magical1 a1s2d3f4g5h6 guitar01 santana1 monkey14 nirvana9 peyton18 football123 vbhjh123
gemini12 pookie11 welcome0 peewee51 legends1 freeway1 hunt0802 buffy1ma alina2006 summer02 radio123 jasmine9
chicago9 jackie01 privet123 alex1989 ow8jtcs8t bond9007 gabriel12 love4eve ma123123123 enrique1 ferien12 natalie2
rosebud7 blowjob69 h397pnvr robert23 panther9 bigjohn1 fire1234 olivier1 august20 chicken6 letmein5 harley20
stinker1 welcome7 campus100 vikings2 skyblue1 zxcv4321 pasword1 nemesis2 energy12 alena123 robert19 orange22
murphy11 heather4 boxster1 carwash1 bowling3 fylhtq123 bunnies1 slipper1 phantom7 boston11 fynjy123 august10
goirish1 boobear1 rabbit69 chantal1 diablo69 alex2009 bergen09 vlad2011 volvos60 carter80 shadow23 shocker1
lopotok01 ronaldo99 z1x2c3v4b5n6m7 iceman44 chris100 chester8 scooter5 ringo123 sex4free johnny12 wallace2 arsenal7
nokia5610 maddog01 patrick5 aikman08 netware1 nicole123 cypress1 great123 hillary1 shadow00 matthew4 alina2002
theman22 nji90okm roma1995 iceman11 pelican1 fiction6 onetwo34 fallout1 spectre1 elena1971 bobo1234 musical1
m123456789 bulldog5 miruvor79 bandit11 arsenal9 miatamx5 strip4me sexyred1 google10 crystal7 awesome123 birthday28
boomer12 hockey123 willy123 cobra777 fre_ak8yj mountai1 pepper14 fordgt40 raider12 gymnast1 butter11 wapbbs_1
soccer77 x002tp00 qcxdw8ry dbm123dm qq123123 williams1 c32649135 daniel26 dima1991 spencer5 sophie01 locutus1
andrey12 jasmine123 mosias98 blaze420 charles0 babylon6 raleigh1 access01 daisy3112 gorilla9 snuggles1 vova1992
leonardo1 mexican1 boomer22 edwards1 jordan10 gemini13 eagles11 hannah22 maks5843 lincoln2 gre69kik need4speed
core2duo dragon33 autopas1 daniel20 hardcor1 qwertyuiop12 louis123 mercury2 matrix19 hockey33 felicia1 tuesday2
darling1 car12345 beast123 extra330 templar1 advance1 orange01 nautica1 redsox24 dennis12 dabl1125 bluejay1 william4
connor12 arsenal123 marine21 xxxp455w0rd5 lllllll1 ooooooo1 koufax32 daniel10 s9te949f destiny7 harley88 birthday27
kristie1 denis2011 stalker2 zxc123456 west1234 silver69 chief123 jenna123 anna12345 fktif6115 falcon01 mopar440
mercede1
`
  .trim()
  .split(/\s+/);
