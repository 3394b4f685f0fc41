import { declareMessages } from '../../messages/index.ts';

/**
 * The kinds of inbox messages about corrections and debts, with their links and texts. Users cannot turn
 * these messages off.
 */
export const treasuryMessages = declareMessages({
  correctionCredited: {
    place: 'statement',
    words: {
      'en-US': {
        title: 'Balance corrected: {{amount}} {{coin}} added',
        summary: 'Case {{case}}. The amount is in your spot account.',
        content:
          'We corrected your balance. The amount is in your spot account and on your statement.\n\n' +
          'Added: {{amount}} {{coin}}\nCase: {{case}}\nTime: {{time}}',
      },
      'zh-CN': {
        title: '余额已调整：增加 {{amount}} {{coin}}',
        summary: '工单 {{case}}。款项已计入现货账户。',
        content:
          '我们调整了您的余额，款项已计入现货账户，并显示在账单中。\n\n' +
          '增加：{{amount}} {{coin}}\n工单：{{case}}\n时间：{{time}}',
      },
      'ko-KR': {
        title: '잔액 정정: {{amount}} {{coin}} 추가',
        summary: '문의 {{case}}. 현물 계좌에 반영되었습니다.',
        content:
          '고객님의 잔액을 정정했습니다. 금액은 현물 계좌에 반영되었으며 거래 내역에서 확인할 수 있습니다.\n\n' +
          '추가: {{amount}} {{coin}}\n문의: {{case}}\n시각: {{time}}',
      },
      'ja-JP': {
        title: '残高の訂正：{{amount}} {{coin}}を加算',
        summary: 'お問い合わせ{{case}}。現物口座に反映されました。',
        content:
          'お客様の残高を訂正しました。金額は現物口座に反映され、明細に表示されます。\n\n' +
          '加算：{{amount}} {{coin}}\nお問い合わせ：{{case}}\n日時：{{time}}',
      },
    },
  },
  correctionDebited: {
    place: 'statement',
    words: {
      'en-US': {
        title: 'Balance corrected: {{amount}} {{coin}} deducted',
        summary: 'Case {{case}}. If you think it is wrong, contact support.',
        content:
          'We corrected your balance. The amount was deducted from your spot account and is on your statement. If you think it is wrong, contact support.\n\n' +
          'Deducted: {{amount}} {{coin}}\nCase: {{case}}\nTime: {{time}}',
      },
      'zh-CN': {
        title: '余额已调整：扣除 {{amount}} {{coin}}',
        summary: '工单 {{case}}。如有疑问，请联系客服。',
        content:
          '我们调整了您的余额，款项已从现货账户扣除，并显示在账单中。如有疑问，请联系客服。\n\n' +
          '扣除：{{amount}} {{coin}}\n工单：{{case}}\n时间：{{time}}',
      },
      'ko-KR': {
        title: '잔액 정정: {{amount}} {{coin}} 차감',
        summary: '문의 {{case}}. 문제가 있다고 생각되면 고객센터로 문의해 주세요.',
        content:
          '고객님의 잔액을 정정했습니다. 금액은 현물 계좌에서 차감되었으며 거래 내역에서 확인할 수 있습니다. 문제가 있다고 생각되면 고객센터로 문의해 주세요.\n\n' +
          '차감: {{amount}} {{coin}}\n문의: {{case}}\n시각: {{time}}',
      },
      'ja-JP': {
        title: '残高の訂正：{{amount}} {{coin}}を減算',
        summary: 'お問い合わせ{{case}}。ご不明な点はサポートへご連絡ください。',
        content:
          'お客様の残高を訂正しました。金額は現物口座から差し引かれ、明細に表示されます。ご不明な点はサポートへご連絡ください。\n\n' +
          '減算：{{amount}} {{coin}}\nお問い合わせ：{{case}}\n日時：{{time}}',
      },
    },
  },
  depositRemoved: {
    place: 'statement',
    push: 'deposits',
    words: {
      'en-US': {
        title: 'Deposit removed by its network: {{amount}} {{coin}}',
        summary: 'The credited amount was deducted from your spot account.',
        content:
          'The network dropped a deposit that was already credited to you, so its amount was deducted from your spot account. If the transfer appears again, the amount is returned automatically.\n\n' +
          'Deducted: {{amount}} {{coin}}\nTime: {{time}}',
      },
      'zh-CN': {
        title: '充币被网络撤销：{{amount}} {{coin}}',
        summary: '已入账的金额已从现货账户扣除。',
        content:
          '网络撤销了一笔已为您入账的充币，因此该金额已从现货账户扣除。如果该笔转账再次出现，金额将自动退回。\n\n' +
          '扣除：{{amount}} {{coin}}\n时间：{{time}}',
      },
      'ko-KR': {
        title: '네트워크에서 취소된 입금: {{amount}} {{coin}}',
        summary: '반영되었던 금액이 현물 계좌에서 차감되었습니다.',
        content:
          '이미 반영된 입금이 네트워크에서 취소되어 해당 금액을 현물 계좌에서 차감했습니다. 전송이 다시 확인되면 금액은 자동으로 반환됩니다.\n\n' +
          '차감: {{amount}} {{coin}}\n시각: {{time}}',
      },
      'ja-JP': {
        title: 'ネットワークで取り消された入金：{{amount}} {{coin}}',
        summary: '反映済みの金額を現物口座から差し引きました。',
        content:
          '反映済みの入金がネットワークで取り消されたため、その金額を現物口座から差し引きました。送金が再び確認された場合、金額は自動的に返金されます。\n\n' +
          '減算：{{amount}} {{coin}}\n日時：{{time}}',
      },
    },
  },
  debtRaised: {
    place: 'assets',
    words: {
      'en-US': {
        title: 'Open amount: {{remaining}} {{coin}}',
        summary: 'Your next deposits of {{coin}} pay it automatically.',
        content:
          '{{amount}} {{coin}} had to be deducted from your spot account, which was more than was available. Your next deposits of {{coin}} pay the rest automatically. You can trade and withdraw other funds as usual. Your assets show why; if you think it is wrong, contact support.\n\n' +
          'To be deducted: {{amount}} {{coin}}\nStill open: {{remaining}} {{coin}}\nTime: {{time}}',
      },
      'zh-CN': {
        title: '未结欠款：{{remaining}} {{coin}}',
        summary: '您之后充入的 {{coin}} 将自动用于抵扣。',
        content:
          '需从您的现货账户扣除 {{amount}} {{coin}}，超过了可用余额。您之后充入的 {{coin}} 将自动用于抵扣剩余部分，其余资金可照常交易和提币。原因请见资产页面，如有疑问，请联系客服。\n\n' +
          '应扣除：{{amount}} {{coin}}\n尚欠：{{remaining}} {{coin}}\n时间：{{time}}',
      },
      'ko-KR': {
        title: '미납 금액: {{remaining}} {{coin}}',
        summary: '이후 {{coin}} 입금에서 자동으로 상환됩니다.',
        content:
          '현물 계좌에서 차감해야 할 {{amount}} {{coin}} 중 일부가 사용 가능 잔액 부족으로 차감되지 않았습니다. 나머지는 이후 {{coin}} 입금에서 자동으로 상환됩니다. 다른 자산은 평소대로 거래하고 출금할 수 있습니다. 사유는 자산 화면에 표시되며, 문제가 있다고 생각되면 고객센터로 문의해 주세요.\n\n' +
          '차감 금액: {{amount}} {{coin}}\n미납 금액: {{remaining}} {{coin}}\n시각: {{time}}',
      },
      'ja-JP': {
        title: '未払いの金額：{{remaining}} {{coin}}',
        summary: '今後の{{coin}}の入金から自動的に充当されます。',
        content:
          '現物口座から{{amount}} {{coin}}を差し引く必要がありましたが、利用可能残高が不足していました。残りは今後の{{coin}}の入金から自動的に充当されます。その他の資産は通常どおり取引・出金できます。理由は資産画面に表示されます。ご不明な点はサポートへご連絡ください。\n\n' +
          '差し引く金額：{{amount}} {{coin}}\n未払い：{{remaining}} {{coin}}\n日時：{{time}}',
      },
    },
  },
  debtPaid: {
    place: 'statement',
    words: {
      'en-US': {
        title: 'Open amount paid: {{amount}} {{coin}}',
        summary: 'Your deposits have paid it in full.',
        content:
          'Your deposits have paid the open amount in full. Nothing more is deducted for it.\n\n' +
          'Paid: {{amount}} {{coin}}\nTime: {{time}}',
      },
      'zh-CN': {
        title: '欠款已结清：{{amount}} {{coin}}',
        summary: '您的充币已全额抵扣。',
        content: '您的充币已全额抵扣该笔欠款，不会再为此扣款。\n\n已付：{{amount}} {{coin}}\n时间：{{time}}',
      },
      'ko-KR': {
        title: '미납 금액 상환 완료: {{amount}} {{coin}}',
        summary: '입금으로 전액 상환되었습니다.',
        content:
          '입금으로 미납 금액이 전액 상환되었습니다. 이 건으로 더 이상 차감되지 않습니다.\n\n' +
          '상환: {{amount}} {{coin}}\n시각: {{time}}',
      },
      'ja-JP': {
        title: '未払い金額の完済：{{amount}} {{coin}}',
        summary: '入金により全額支払われました。',
        content:
          '入金により未払いの金額が全額支払われました。この件でこれ以上差し引かれることはありません。\n\n' +
          '支払済み：{{amount}} {{coin}}\n日時：{{time}}',
      },
    },
  },
  debtCancelled: {
    place: 'statement',
    words: {
      'en-US': {
        title: 'Open amount canceled: {{amount}} {{coin}}',
        summary: '{{paid}} {{coin}} that you had paid is back in your spot account.',
        content:
          'The open amount was canceled, and what you had paid of it is back in your spot account.\n\n' +
          'Canceled: {{amount}} {{coin}}\nReturned: {{paid}} {{coin}}\nTime: {{time}}',
      },
      'zh-CN': {
        title: '欠款已撤销：{{amount}} {{coin}}',
        summary: '您已付的 {{paid}} {{coin}} 已退回现货账户。',
        content:
          '该笔欠款已撤销，您已付的部分已退回现货账户。\n\n' +
          '撤销：{{amount}} {{coin}}\n退回：{{paid}} {{coin}}\n时间：{{time}}',
      },
      'ko-KR': {
        title: '미납 금액 취소: {{amount}} {{coin}}',
        summary: '이미 상환한 금액({{paid}} {{coin}})이 현물 계좌로 반환되었습니다.',
        content:
          '미납 금액이 취소되었으며 이미 상환한 금액은 현물 계좌로 반환되었습니다.\n\n' +
          '취소: {{amount}} {{coin}}\n반환: {{paid}} {{coin}}\n시각: {{time}}',
      },
      'ja-JP': {
        title: '未払い金額の取り消し：{{amount}} {{coin}}',
        summary: 'お支払い済みの{{paid}} {{coin}}は現物口座に返金されました。',
        content:
          '未払いの金額は取り消され、お支払い済みの分は現物口座に返金されました。\n\n' +
          '取り消し：{{amount}} {{coin}}\n返金：{{paid}} {{coin}}\n日時：{{time}}',
      },
    },
  },
  debtWrittenOff: {
    place: 'statement',
    words: {
      'en-US': {
        title: 'Open amount closed: {{remaining}} {{coin}}',
        summary: 'You do not have to pay it any more.',
        content:
          'The open amount was closed. Your next deposits do not pay it any more.\n\n' +
          'Closed: {{remaining}} {{coin}}\nTime: {{time}}',
      },
      'zh-CN': {
        title: '欠款已免除：{{remaining}} {{coin}}',
        summary: '您无需再支付该笔欠款。',
        content: '该笔欠款已免除，之后的充币不再用于抵扣。\n\n免除：{{remaining}} {{coin}}\n时间：{{time}}',
      },
      'ko-KR': {
        title: '미납 금액 종결: {{remaining}} {{coin}}',
        summary: '더 이상 상환하지 않아도 됩니다.',
        content:
          '미납 금액이 종결되었습니다. 이후 입금에서 더 이상 상환되지 않습니다.\n\n' +
          '종결: {{remaining}} {{coin}}\n시각: {{time}}',
      },
      'ja-JP': {
        title: '未払い金額の免除：{{remaining}} {{coin}}',
        summary: '今後お支払いいただく必要はありません。',
        content:
          '未払いの金額は免除されました。今後の入金から充当されることはありません。\n\n' +
          '免除：{{remaining}} {{coin}}\n日時：{{time}}',
      },
    },
  },
});
