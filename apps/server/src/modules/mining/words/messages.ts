import { declareMessages } from '../../messages/index.ts';

/** The kinds of messages of the mining module, with their links, topics and texts. */
export const miningMessages = declareMessages({
  miningStarted: {
    place: 'mining',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Mining order placed: {{principal}} {{coin}}',
        summary: '{{days}}-day cycle, earning from {{start}}.',
        content:
          'You bought a mining product.\n\n' +
          'Amount: {{principal}} {{coin}}\nCycle: {{days}} days\nEarns from: {{start}}\nCycle ends: {{end}}\nOrder ID: {{order}}\n\n' +
          'Each day’s income is credited at 00:10 UTC on the following day. Once the cycle ends, you can redeem the amount at any time.',
      },
      'zh-CN': {
        title: '矿池购买成功：{{principal}} {{coin}}',
        summary: '周期 {{days}} 天，{{start}} 起计收益。',
        content:
          '您已购买一款矿池产品。\n\n' +
          '金额：{{principal}} {{coin}}\n周期：{{days}} 天\n收益起算：{{start}}\n周期结束：{{end}}\n订单号：{{order}}\n\n' +
          '每日收益于次日 00:10 UTC 发放。周期结束后可随时赎回本金。',
      },
      'ko-KR': {
        title: '채굴 상품 구매: {{principal}} {{coin}}',
        summary: '{{days}}일 주기, {{start}}부터 수익 발생.',
        content:
          '채굴 상품을 구매했습니다.\n\n' +
          '금액: {{principal}} {{coin}}\n주기: {{days}}일\n수익 시작: {{start}}\n주기 종료: {{end}}\n주문 번호: {{order}}\n\n' +
          '매일의 수익은 다음 날 00:10 UTC에 지급됩니다. 주기가 끝나면 언제든지 원금을 상환받을 수 있습니다.',
      },
      'ja-JP': {
        title: 'マイニング商品を購入：{{principal}} {{coin}}',
        summary: '{{days}}日サイクルで、{{start}}から収益が発生します。',
        content:
          'マイニング商品を購入しました。\n\n' +
          '金額：{{principal}} {{coin}}\nサイクル：{{days}}日\n収益開始：{{start}}\nサイクル終了：{{end}}\n注文番号：{{order}}\n\n' +
          '毎日の収益は翌日00:10 UTCに入金されます。サイクル終了後は、いつでも元本を償還できます。',
      },
    },
  },
  miningIncome: {
    place: 'mining',
    topic: 'income',
    words: {
      'en-US': {
        title: 'Mining income received: {{amount}} {{coin}}',
        summary: 'From your {{days}}-day order of {{principal}} {{coin}}.',
        content:
          'One day’s income was credited to your spot account.\n\n' +
          'Income: {{amount}} {{coin}}\nAmount: {{principal}} {{coin}}\nCycle: {{days}} days\nCycle ends: {{end}}\nOrder ID: {{order}}',
      },
      'zh-CN': {
        title: '矿池收益到账：{{amount}} {{coin}}',
        summary: '来自您 {{principal}} {{coin}} 的 {{days}} 天周期订单。',
        content:
          '一天的收益已发放至您的现货账户。\n\n' +
          '收益：{{amount}} {{coin}}\n金额：{{principal}} {{coin}}\n周期：{{days}} 天\n周期结束：{{end}}\n订单号：{{order}}',
      },
      'ko-KR': {
        title: '채굴 수익 입금: {{amount}} {{coin}}',
        summary: '{{days}}일 주문 {{principal}} {{coin}}의 수익입니다.',
        content:
          '하루치 수익이 현물 계좌로 입금되었습니다.\n\n' +
          '수익: {{amount}} {{coin}}\n금액: {{principal}} {{coin}}\n주기: {{days}}일\n주기 종료: {{end}}\n주문 번호: {{order}}',
      },
      'ja-JP': {
        title: 'マイニング収益の入金：{{amount}} {{coin}}',
        summary: '{{days}}日サイクル、{{principal}} {{coin}}の注文による収益です。',
        content:
          '1日分の収益が現物口座に入金されました。\n\n' +
          '収益：{{amount}} {{coin}}\n金額：{{principal}} {{coin}}\nサイクル：{{days}}日\nサイクル終了：{{end}}\n注文番号：{{order}}',
      },
    },
  },
  miningEnded: {
    place: 'mining',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Mining order ready to redeem: {{principal}} {{coin}}',
        summary: 'The cycle has ended, and the order no longer earns income.',
        content:
          'The cycle of your mining order has ended. You can redeem the amount to your spot account at any time, and it arrives right away.\n\n' +
          'Amount: {{principal}} {{coin}}\nTotal income: {{total}} {{coin}}\nCycle: {{days}} days\nCycle ended: {{end}}\nOrder ID: {{order}}',
      },
      'zh-CN': {
        title: '矿池订单待赎回：{{principal}} {{coin}}',
        summary: '周期已结束，不再产生收益。',
        content:
          '您的矿池订单周期已结束。您可随时赎回本金至现货账户，实时到账。\n\n' +
          '金额：{{principal}} {{coin}}\n累计收益：{{total}} {{coin}}\n周期：{{days}} 天\n周期结束：{{end}}\n订单号：{{order}}',
      },
      'ko-KR': {
        title: '채굴 주문 상환 가능: {{principal}} {{coin}}',
        summary: '주기가 끝나 더 이상 수익이 발생하지 않습니다.',
        content:
          '채굴 주문의 주기가 끝났습니다. 언제든지 현물 계좌로 상환할 수 있으며, 즉시 입금됩니다.\n\n' +
          '금액: {{principal}} {{coin}}\n총수익: {{total}} {{coin}}\n주기: {{days}}일\n주기 종료: {{end}}\n주문 번호: {{order}}',
      },
      'ja-JP': {
        title: 'マイニング注文が償還可能に：{{principal}} {{coin}}',
        summary: 'サイクルが終了し、以後の収益は発生しません。',
        content:
          'マイニング注文のサイクルが終了しました。いつでも現物口座に償還でき、すぐに入金されます。\n\n' +
          '金額：{{principal}} {{coin}}\n収益合計：{{total}} {{coin}}\nサイクル：{{days}}日\nサイクル終了：{{end}}\n注文番号：{{order}}',
      },
    },
  },
  miningRedeemed: {
    place: 'mining',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Mining order redeemed: {{principal}} {{coin}}',
        summary: 'The amount is in your spot account.',
        content:
          'Your mining order was redeemed to your spot account.\n\n' +
          'Amount: {{principal}} {{coin}}\nTotal income: {{total}} {{coin}}\nCycle: {{days}} days\nOrder ID: {{order}}',
      },
      'zh-CN': {
        title: '矿池订单已赎回：{{principal}} {{coin}}',
        summary: '本金已到账现货账户。',
        content:
          '您的矿池订单已赎回至现货账户。\n\n' +
          '金额：{{principal}} {{coin}}\n累计收益：{{total}} {{coin}}\n周期：{{days}} 天\n订单号：{{order}}',
      },
      'ko-KR': {
        title: '채굴 주문 상환: {{principal}} {{coin}}',
        summary: '원금이 현물 계좌로 입금되었습니다.',
        content:
          '채굴 주문이 현물 계좌로 상환되었습니다.\n\n' +
          '금액: {{principal}} {{coin}}\n총수익: {{total}} {{coin}}\n주기: {{days}}일\n주문 번호: {{order}}',
      },
      'ja-JP': {
        title: 'マイニング注文を償還：{{principal}} {{coin}}',
        summary: '元本が現物口座に入金されました。',
        content:
          'マイニング注文を現物口座に償還しました。\n\n' +
          '金額：{{principal}} {{coin}}\n収益合計：{{total}} {{coin}}\nサイクル：{{days}}日\n注文番号：{{order}}',
      },
    },
  },
});
