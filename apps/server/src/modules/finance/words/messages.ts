import { declareMessages } from '../../messages/index.ts';

/** The kinds of inbox messages that the module finance sends to users, with their links, topics and texts. */
export const financeMessages = declareMessages({
  financeBought: {
    place: 'finance',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Earn order placed: {{principal}} {{coin}}',
        summary: '{{days}} days, earning from {{start}}.',
        content:
          'You bought an Earn product.\n\n' +
          'Amount: {{principal}} {{coin}}\nTerm: {{days}} days\nEarns from: {{start}}\nMatures: {{end}}\nOrder ID: {{order}}\n\n' +
          'The amount is locked until maturity. Early withdrawal is not supported.',
      },
      'zh-CN': {
        title: '定期理财购买成功：{{principal}} {{coin}}',
        summary: '期限 {{days}} 天，{{start}} 起计息。',
        content:
          '您已购买一款定期理财产品。\n\n' +
          '金额：{{principal}} {{coin}}\n期限：{{days}} 天\n起息时间：{{start}}\n到期时间：{{end}}\n订单号：{{order}}\n\n' +
          '资金锁定至到期日，不支持提前赎回。',
      },
      'ko-KR': {
        title: '정기 예치 상품 구매: {{principal}} {{coin}}',
        summary: '{{days}}일, {{start}}부터 이자 발생.',
        content:
          '정기 예치 상품을 구매했습니다.\n\n' +
          '금액: {{principal}} {{coin}}\n기간: {{days}}일\n이자 시작: {{start}}\n만기: {{end}}\n주문 번호: {{order}}\n\n' +
          '금액은 만기까지 예치되며, 중도 해지는 지원하지 않습니다.',
      },
      'ja-JP': {
        title: '定期運用商品を購入：{{principal}} {{coin}}',
        summary: '期間{{days}}日、{{start}}から利息が付きます。',
        content:
          '定期運用商品を購入しました。\n\n' +
          '金額：{{principal}} {{coin}}\n期間：{{days}}日\n利息開始：{{start}}\n満期：{{end}}\n注文番号：{{order}}\n\n' +
          '元本は満期までロックされます。中途解約はできません。',
      },
    },
  },
  financeIncome: {
    place: 'finance',
    topic: 'income',
    words: {
      'en-US': {
        title: 'Interest received: {{amount}} {{coin}}',
        summary: 'From your {{days}}-day order of {{principal}} {{coin}}.',
        content:
          'One day’s interest was credited to your spot account.\n\n' +
          'Interest: {{amount}} {{coin}}\nPrincipal: {{principal}} {{coin}}\nTerm: {{days}} days\nMatures: {{end}}\nOrder ID: {{order}}',
      },
      'zh-CN': {
        title: '利息到账：{{amount}} {{coin}}',
        summary: '来自您 {{principal}} {{coin}} 的 {{days}} 天期订单。',
        content:
          '一天的利息已发放至您的现货账户。\n\n' +
          '利息：{{amount}} {{coin}}\n本金：{{principal}} {{coin}}\n期限：{{days}} 天\n到期时间：{{end}}\n订单号：{{order}}',
      },
      'ko-KR': {
        title: '이자 입금: {{amount}} {{coin}}',
        summary: '{{days}}일 주문 {{principal}} {{coin}}의 이자입니다.',
        content:
          '하루치 이자가 현물 계좌로 입금되었습니다.\n\n' +
          '이자: {{amount}} {{coin}}\n원금: {{principal}} {{coin}}\n기간: {{days}}일\n만기: {{end}}\n주문 번호: {{order}}',
      },
      'ja-JP': {
        title: '利息の入金：{{amount}} {{coin}}',
        summary: '期間{{days}}日、{{principal}} {{coin}}の注文による利息です。',
        content:
          '1日分の利息が現物口座に入金されました。\n\n' +
          '利息：{{amount}} {{coin}}\n元本：{{principal}} {{coin}}\n期間：{{days}}日\n満期：{{end}}\n注文番号：{{order}}',
      },
    },
  },
  financeMatured: {
    place: 'finance',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Earn order matured: {{principal}} {{coin}}',
        summary: 'Principal and interest are in your spot account.',
        content:
          'Your Earn order has matured and was paid out to your spot account.\n\n' +
          'Principal: {{principal}} {{coin}}\nTotal interest: {{total}} {{coin}}\nTerm: {{days}} days\nMatured: {{end}}\nOrder ID: {{order}}',
      },
      'zh-CN': {
        title: '定期理财已到期：{{principal}} {{coin}}',
        summary: '本金和利息已到账现货账户。',
        content:
          '您的定期理财订单已到期，款项已发放至您的现货账户。\n\n' +
          '本金：{{principal}} {{coin}}\n累计利息：{{total}} {{coin}}\n期限：{{days}} 天\n到期时间：{{end}}\n订单号：{{order}}',
      },
      'ko-KR': {
        title: '정기 예치 상품 만기: {{principal}} {{coin}}',
        summary: '원금과 이자가 현물 계좌로 입금되었습니다.',
        content:
          '정기 예치 주문이 만기되어 원금과 이자가 현물 계좌로 입금되었습니다.\n\n' +
          '원금: {{principal}} {{coin}}\n총이자: {{total}} {{coin}}\n기간: {{days}}일\n만기: {{end}}\n주문 번호: {{order}}',
      },
      'ja-JP': {
        title: '定期運用商品が満期：{{principal}} {{coin}}',
        summary: '元本と利息が現物口座に入金されました。',
        content:
          '定期運用の注文が満期を迎え、元本と利息が現物口座に入金されました。\n\n' +
          '元本：{{principal}} {{coin}}\n利息合計：{{total}} {{coin}}\n期間：{{days}}日\n満期：{{end}}\n注文番号：{{order}}',
      },
    },
  },
});
