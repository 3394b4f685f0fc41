import type { TextByLocale } from '@exchange/core/locale.ts';
import type { BannerPicture, Topic } from '@exchange/core/board.ts';

interface DemoAnnouncement {
  readonly code: string;
  readonly topic: Topic;
  readonly daysAgo: number;
  /** Number of days from publication until the announcement ends; undefined if it does not end. */
  readonly daysLeft?: number;
  readonly title: TextByLocale;
  readonly content: TextByLocale;
}

/** The announcements of a demo; what they state is true for a demo. */
export const ANNOUNCEMENTS: readonly DemoAnnouncement[] = [
  {
    code: 'welcome-demo',
    topic: 'notice',
    daysAgo: 0,
    title: {
      'en-US': 'Welcome to the Amethyst demo',
      'zh-CN': '欢迎体验 Amethyst 演示站',
      'ko-KR': 'Amethyst 데모에 오신 것을 환영합니다',
      'ja-JP': 'Amethystデモへようこそ',
    },
    content: {
      'en-US':
        'All coins here are demo funds. Trade, deposit, withdraw, and try every product without risk.\n\nEmails from the exchange are not sent. They show up in the demo mailbox instead.',
      'zh-CN':
        '演示站中的所有币种均为演示资金，您可以放心体验交易、充币、提币及全部产品。\n\n系统邮件不会真正发出，可在演示邮箱页面查看。',
      'ko-KR':
        '이곳의 모든 코인은 데모 자금입니다. 거래와 입출금부터 모든 상품까지 위험 없이 체험해 보세요.\n\n거래소가 보내는 이메일은 실제로 발송되지 않고 데모 메일함에 표시됩니다.',
      'ja-JP':
        'このサイトのコインはすべてデモ資金です。取引、入金、出金をはじめ、すべての商品をリスクなしでお試しいただけます。\n\n取引所からのメールは実際には送信されず、デモ用メールボックスに表示されます。',
    },
  },
  {
    code: 'convert-open',
    topic: 'product',
    daysAgo: 3,
    title: {
      'en-US': 'Convert is here: swap coins at a locked-in price',
      'zh-CN': '闪兑上线：锁定价格，即时兑换',
      'ko-KR': '전환 오픈: 확정된 가격으로 바로 전환하세요',
      'ja-JP': 'コンバート提供開始：確定した価格ですぐに交換',
    },
    content: {
      'en-US':
        'Choose two coins, see the exact amount you receive, and confirm before the countdown ends. The price you are quoted is the price you get.',
      'zh-CN': '选择两个币种即可看到确切的到账数量，在倒计时内确认即可成交，报价即成交价。',
      'ko-KR':
        '두 코인을 선택하면 받을 수량이 정확히 표시됩니다. 제한 시간 안에 확인하면 견적 가격 그대로 전환됩니다.',
      'ja-JP':
        '2つのコインを選ぶと、受け取る数量が正確に表示されます。カウントダウン中に確定すれば、提示された価格のまま交換できます。',
    },
  },
  {
    code: 'fees-by-volume',
    topic: 'product',
    daysAgo: 9,
    title: {
      'en-US': 'Trade more, pay less: spot fees by 30-day volume',
      'zh-CN': '现货交易手续费随近 30 天成交额阶梯下调',
      'ko-KR': '최근 30일 거래대금에 따라 현물 수수료가 낮아집니다',
      'ja-JP': '現物手数料は直近30日間の取引高に応じて下がります',
    },
    content: {
      'en-US':
        'Your fee tier is based on your trading volume over the last 30 days and applies to new orders automatically. There is nothing to claim.',
      'zh-CN': '系统按近 30 天成交额自动计算费率等级，新委托即时生效，无需申请。',
      'ko-KR':
        '최근 30일 거래대금으로 등급이 자동 산정되어 새 주문부터 바로 적용됩니다. 별도 신청은 필요 없습니다.',
      'ja-JP':
        '直近30日間の取引高からランクが自動で算出され、新しい注文から適用されます。お申し込みは不要です。',
    },
  },
  {
    code: 'protect-your-account',
    topic: 'notice',
    daysAgo: 16,
    title: {
      'en-US': 'Protect your account in three minutes',
      'zh-CN': '三分钟，为账户加一把锁',
      'ko-KR': '3분이면 계정이 더 안전해집니다',
      'ja-JP': '3分でできるアカウント保護',
    },
    content: {
      'en-US':
        'Set up an authenticator app, choose an anti-phishing phrase, and turn on the withdrawal whitelist. We never ask for your passwords or codes.',
      'zh-CN': '绑定身份验证器、设置防钓鱼码、开启提币白名单。我们绝不会向您索要密码或验证码。',
      'ko-KR':
        '인증 앱을 연결하고, 피싱 방지 문구를 설정하고, 출금 화이트리스트를 켜 보세요. Amethyst는 비밀번호나 인증 코드를 절대 요구하지 않습니다.',
      'ja-JP':
        '認証アプリとフィッシング対策フレーズの設定、出金ホワイトリストの有効化をおすすめします。当社がパスワードや認証コードをお尋ねすることは決してありません。',
    },
  },
];

interface DemoBanner {
  readonly code: string;
  readonly picture: BannerPicture;
  /** Name of the screen to which the banner links. */
  readonly screen: string;
  readonly title: TextByLocale;
  readonly content: TextByLocale;
}

/** The banners on the home page of a demo, in display order. */
export const BANNERS: readonly DemoBanner[] = [
  {
    code: 'earn-daily',
    picture: 'finance',
    screen: 'finance',
    title: {
      'en-US': 'Earn on the coins you hold',
      'zh-CN': '持币也能赚收益',
      'ko-KR': '보유한 코인으로 이자 받기',
      'ja-JP': '保有コインで利息を受け取る',
    },
    content: {
      'en-US': 'Fixed terms from 7 days, paid daily or at maturity.',
      'zh-CN': '7 天起，每日或到期付息。',
      'ko-KR': '7일부터 예치하고, 이자는 매일 또는 만기에 받으세요.',
      'ja-JP': '期間は7日から。利息は毎日または満期にお支払い。',
    },
  },
  {
    code: 'invite-friends',
    picture: 'invite',
    screen: 'invite',
    title: {
      'en-US': 'Invite friends, share fees',
      'zh-CN': '邀请好友，共享返佣',
      'ko-KR': '친구를 초대하고 수수료를 나누세요',
      'ja-JP': '友達を招待して手数料の還元を受ける',
    },
    content: {
      'en-US': 'Get a share of the trading fees your friends pay.',
      'zh-CN': '好友交易产生的手续费，按比例返还给您。',
      'ko-KR': '친구가 낸 거래 수수료의 일부를 보상으로 드립니다.',
      'ja-JP': '友達が支払った取引手数料の一部を受け取れます。',
    },
  },
  {
    code: 'bind-authenticator',
    picture: 'security',
    screen: 'security',
    title: {
      'en-US': 'Secure your account',
      'zh-CN': '账户安全再升级',
      'ko-KR': '계정을 더 안전하게 지키세요',
      'ja-JP': 'アカウントをもっと安全に',
    },
    content: {
      'en-US': 'Set up an authenticator app under Security.',
      'zh-CN': '前往安全中心绑定身份验证器。',
      'ko-KR': '보안 센터에서 인증 앱을 연결하세요.',
      'ja-JP': '「セキュリティ」で認証アプリを設定しましょう。',
    },
  },
];
