import { NEW_PASSWORD_LENGTH } from '@exchange/core/password.ts';
import { BREACHED_PASSWORDS } from './breached-passwords.ts';

/**
 * Words that typical passwords start with. A password that satisfies the rules (at least 8 characters,
 * starting with a letter, containing a digit) is common, among other cases, if it is one of these words,
 * plain or with digits that look like letters, followed by one of `TAILS`. Attackers try such passwords
 * first.
 */

const WORDS = `
password passwort passwd pass secret admin administrator root login welcome letmein access master user guest
test testing tester default changeme change temp demo sample server system computer internet network google
facebook youtube twitter instagram microsoft windows linux apple iphone samsung nokia android yahoo gmail hotmail
amethyst exchange bitcoin btc ethereum eth tether usdt crypto blockchain satoshi hodl moon wallet trader trading
coin coins money dollar bank gold silver diamond millionaire rich lambo binance coinbase
qwerty qwertyuiop qwert azerty asdf asdfgh asdfghjkl zxcvbn zxcvbnm qazwsx qazwsxedc wasd abc abcd abcde abcdef
abcdefg abcdefgh abcabc aaa aaaa aaaaaa aaaaaaaa xxx xxxxxx zzzzzz qqqqqq asdasd
love iloveyou loveyou lovely lover mylove forever baby babygirl angel angels princess prince queen king sweet
sweetheart honey sunshine flower rainbow butterfly beautiful pretty kitty kitten hello hellokitty family friends
friend mother father mommy daddy mama papa sister brother
monkey dragon tiger lion eagle falcon horse dolphin puppy doggy rabbit turtle panda wolf shark snake spider bear
chicken banana orange cherry strawberry chocolate cookie pepper ginger coffee cheese peanut apples pumpkin
football soccer baseball basketball hockey tennis golf yankees lakers cowboys arsenal liverpool chelsea barcelona
realmadrid juventus manchester united rangers celtic steelers ronaldo messi jordan
superman batman spiderman ironman pokemon pikachu naruto starwars skywalker matrix gandalf hunter killer warrior
ninja samurai knight wizard magic merlin phoenix shadow ghost devil demon lucifer satan
michael jennifer jessica ashley amanda daniel david matthew andrew joshua anthony robert thomas charlie george
william james john alex alexander nicole michelle samantha elizabeth victoria natasha maria anna laura martin
peter patrick richard steven kevin justin brandon tyler austin jackson maggie buster harley
summer winter spring autumn monday friday sunday january february march april august september october november
december london paris berlin madrid moscow newyork texas california florida america canada australia brazil
mexico china beijing shanghai korea japan tokyo india russia ukraine poland turkey
mustang ferrari porsche corvette mercedes toyota honda suzuki yamaha camaro chevy
trustno freedom liberty peace heaven jesus christ church blessed faith hope grace lucky success winner victory
power thunder lightning storm fire flame ocean river mountain galaxy star stars planet
cool awesome fuckyou fuck bitch asshole pussy sexy hottie
woaini wodemima mima zhongguo nihao wang zhang chen yang huang xiaoming asdqwe
hejhej soleil azertyuiop motdepasse hallo schatz ficken contrasena hola tequiero estrella teamo senha parol
privet marina nastya qwaszx zaqwsx whatever nothing something anything
`
  .trim()
  .split(/\s+/);

const TAILS = (
  '0 1 2 3 5 7 8 9 00 01 02 07 08 09 10 11 12 13 21 22 23 33 42 44 55 66 69 77 88 99 007 100 101 111 112 121 ' +
  '123 222 321 333 420 444 520 555 666 777 786 789 888 911 999 000 1111 1122 1212 1234 1313 1314 1987 1988 1989 ' +
  '1990 1991 1992 1993 1994 1995 1996 1997 1998 1999 2000 2001 2002 2003 2004 2005 2010 2011 2012 2013 2014 ' +
  '2015 2016 2017 2018 2019 2020 2021 2022 2023 2024 2025 2026 2027 4321 5201 5555 6666 7777 8888 9999 0000 ' +
  '12345 54321 11111 00000 55555 123123 123321 123456 654321 112233 111111 121212 696969 666666 888888 ' +
  '000000 5201314 1234567 12345678 123456789 1234567890 123qwe 123abc 1q2w3e 1q2w 2wsx'
).split(' ');

const ENDINGS = ['', '!', '.', '@', '#', '*', '!!'];

/** Keyboard sequences and similar passwords that do not consist of a word and a tail. */
const WALKS = `
q1w2e3r4 q1w2e3r4t5 q1w2e3r4t5y6 a1b2c3d4 a1b2c3d4e5 a1s2d3f4 z1x2c3v4 qwe123qwe qweasd123 qweasdzxc123 abc123abc
abc123def qaz123wsx qaz1wsx2 asd123asd aa123456 aa12345678 aa123123 a123456789 a12345678 a1234567 ab123456
abc12345678 abcd12345 qq123456 qq123123 ww123456 zz123456 q123456789 q1234567 z123456789 w123456789 p455w0rd
qwer1234 qwert12345 qwerty12 asdf1234 asdfg12345 zxcv1234 zxcvb12345 wasd1234 qazwsx123 qazxsw21 trustno1trustno1
iloveyou2 iloveu123 ilove123 n1cetry1 r00tr00t h4ck3r123 l3tm31n1 letme1n1 t3st1234 adm1n123 adm1n1234
`
  .trim()
  .split(/\s+/);

const LOOK_ALIKES: readonly (readonly [RegExp, string])[] = [
  [/[0]/g, 'o'],
  [/[1!|]/g, 'i'],
  [/[3]/g, 'e'],
  [/[4@]/g, 'a'],
  [/[5$]/g, 's'],
  [/[7]/g, 't'],
];

const known = new Set([...WALKS, ...BREACHED_PASSWORDS]);
for (const word of WORDS) {
  for (const tail of TAILS) if (fits(word + tail)) known.add(word + tail);
}
const words = new Set(WORDS);

/**
 * Number of common passwords in the lists, without their variants with look-alike characters, endings such as `!` and
 * capitals.
 */
export const COMMON_PASSWORD_COUNT = known.size;

/** True if a password is a common one; upper and lower case are not distinguished. */
export function isCommonPassword(password: string): boolean {
  const plain = password.toLowerCase();
  return ENDINGS.some((ending) => {
    if (!plain.endsWith(ending)) return false;
    const text = plain.slice(0, plain.length - ending.length);
    return known.has(text) || isRepeated(text) || isWordWithTail(text) || isDisguised(text, '');
  });
}

/**
 * True if a text is a common word, plain or with look-alike characters, followed by this tail, such as `p4ssw0rd12`.
 */
function isDisguised(text: string, tail: string): boolean {
  if (!text.endsWith(tail)) return false;
  let word = text.slice(0, text.length - tail.length);
  for (const [digits, letter] of LOOK_ALIKES) word = word.replace(digits, letter);
  return words.has(word);
}

/** True if a text is a short sequence that is repeated, such as `a1a1a1a1`, or a common password that is repeated. */
function isRepeated(text: string): boolean {
  if (/^(.{1,4})\1+$/.test(text)) return true;
  const [, unit] = /^(.{5,32}?)\1+$/.exec(text) ?? [];
  return unit !== undefined && (known.has(unit) || words.has(unit) || isWordWithTail(unit));
}

function isWordWithTail(text: string): boolean {
  return TAILS.some((tail) => isDisguised(text, tail));
}

function fits(text: string): boolean {
  return text.length >= NEW_PASSWORD_LENGTH.min && text.length <= NEW_PASSWORD_LENGTH.max;
}
