import { declareMessages } from '../../messages/index.ts';

/** The kind of message that the module sends (the income digest), with its link, topic and texts. */
export const earnMessages = declareMessages({
  incomeDigest: {
    place: 'statement',
    topic: 'income',
    words: {
      'en-US': {
        title: 'Income for {{date}}',
        summary: 'Credited to your spot account: {{amounts}}.',
        content:
          'Your products paid income of {{date}} (UTC) to your spot account.\n\n' +
          'Total: {{amounts}}\n\n{{lines}}\n\n' +
          'Payments after 00:30 UTC are in the next day’s message. Every payment is listed in your account history.',
      },
      'zh-CN': {
        title: '{{date}}收益汇总',
        summary: '已发放至您的现货账户：{{amounts}}。',
        content:
          '您持有的产品 {{date}}（UTC）的收益已发放至您的现货账户。\n\n' +
          '合计：{{amounts}}\n\n{{lines}}\n\n' +
          'UTC 00:30 之后发放的收益将计入次日的消息。每笔收益均可在账户记录中查看。',
      },
      'ko-KR': {
        title: '{{date}} 수익 내역',
        summary: '현물 계좌 입금: {{amounts}}.',
        content:
          '보유 상품의 {{date}}(UTC) 수익이 현물 계좌로 입금되었습니다.\n\n' +
          '합계: {{amounts}}\n\n{{lines}}\n\n' +
          '00:30 UTC 이후 지급분은 다음 날 메시지에 포함됩니다. 모든 입금 내역은 계좌 내역에서 확인할 수 있습니다.',
      },
      'ja-JP': {
        title: '{{date}}の収益',
        summary: '現物口座に{{amounts}}が入金されました。',
        content:
          '保有商品の{{date}}（UTC）の収益が、現物口座に入金されました。\n\n' +
          '合計：{{amounts}}\n\n{{lines}}\n\n' +
          '00:30 UTC以降の入金は翌日のメッセージに含まれます。すべての入金は口座履歴で確認できます。',
      },
    },
  },
});
