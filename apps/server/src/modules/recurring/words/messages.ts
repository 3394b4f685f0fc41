import { declareMessages } from '../../messages/index.ts';

/** The kinds of inbox messages about recurring buys, with their links, topics and texts. */
export const recurringMessages = declareMessages({
  recurringBought: {
    place: 'recurring',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Recurring buy completed: {{coins}}',
        summary: 'Paid from {{amount}} {{coin}} for {{coins}}.',
        content:
          'Your recurring buy of {{time}} was made at the Convert rate of that moment. The amounts received are after the fee.\n\n' +
          '{{lines}}\n\nAmount of the plan: {{amount}} {{coin}}',
      },
      'zh-CN': {
        title: '定投成交：{{coins}}',
        summary: '定投金额 {{amount}} {{coin}}，买入 {{coins}}。',
        content:
          '您 {{time}} 的定投已按当时的闪兑汇率成交，到账数量已扣除手续费。\n\n' +
          '{{lines}}\n\n定投金额：{{amount}} {{coin}}',
      },
      'ko-KR': {
        title: '정기 매수 완료: {{coins}}',
        summary: '정기 매수 금액 {{amount}} {{coin}}, 매수한 코인: {{coins}}',
        content:
          '{{time}} 예정이던 정기 매수가 당시 전환 환율로 체결되었습니다. 받은 수량은 수수료를 뺀 값입니다.\n\n' +
          '{{lines}}\n\n정기 매수 금액: {{amount}} {{coin}}',
      },
      'ja-JP': {
        title: '積立購入が完了しました：{{coins}}',
        summary: '積立額{{amount}} {{coin}}で{{coins}}を購入しました。',
        content:
          '{{time}}の積立購入が、その時点のコンバートのレートで約定しました。受取数量は手数料を差し引いた後のものです。\n\n' +
          '{{lines}}\n\n積立額：{{amount}} {{coin}}',
      },
    },
  },
  recurringShort: {
    place: 'recurring',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Recurring buy skipped: {{coins}}',
        summary: 'Your spot balance was less than {{amount}} {{coin}}.',
        content:
          'Your available spot balance was less than the amount of the plan, so nothing was bought this time. Deposit or transfer {{coin}} before the next scheduled time.\n\n' +
          'Scheduled: {{time}}\nAmount of the plan: {{amount}} {{coin}}\nNot bought: {{coins}}',
      },
      'zh-CN': {
        title: '定投已跳过：{{coins}}',
        summary: '现货余额不足 {{amount}} {{coin}}。',
        content:
          '您的现货可用余额低于定投金额，本次未买入。请在下次定投前充入或划转 {{coin}}。\n\n' +
          '计划时间：{{time}}\n定投金额：{{amount}} {{coin}}\n未买入：{{coins}}',
      },
      'ko-KR': {
        title: '정기 매수 건너뜀: {{coins}}',
        summary: '현물 잔고가 {{amount}} {{coin}} 미만이었습니다.',
        content:
          '사용 가능한 현물 잔고가 정기 매수 금액보다 적어 이번에는 매수하지 않았습니다. 다음 예정 시각 전에 {{coin}} 잔고를 채워 주세요.\n\n' +
          '예정 시각: {{time}}\n정기 매수 금액: {{amount}} {{coin}}\n매수하지 않은 코인: {{coins}}',
      },
      'ja-JP': {
        title: '積立購入を見送りました：{{coins}}',
        summary: '現物残高が{{amount}} {{coin}}に足りませんでした。',
        content:
          '利用可能な現物残高が積立額に足りなかったため、今回は購入しませんでした。次の予定日時までに{{coin}}を入金または振替してください。\n\n' +
          '予定日時：{{time}}\n積立額：{{amount}} {{coin}}\n購入しなかった銘柄：{{coins}}',
      },
    },
  },
  recurringHalted: {
    place: 'recurring',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Recurring buy skipped: {{coins}}',
        summary: 'Trading in these coins was halted at the scheduled time.',
        content:
          'Movements of a coin of this plan were halted at the scheduled time, so it was not bought. The plan continues at its next time.\n\n' +
          'Scheduled: {{time}}\nAmount of the plan: {{amount}} {{coin}}\nNot bought: {{coins}}',
      },
      'zh-CN': {
        title: '定投已跳过：{{coins}}',
        summary: '计划时间相关币种已暂停。',
        content:
          '计划时间该定投的币种处于暂停状态，未能买入。定投将在下次时间继续。\n\n' +
          '计划时间：{{time}}\n定投金额：{{amount}} {{coin}}\n未买入：{{coins}}',
      },
      'ko-KR': {
        title: '정기 매수 건너뜀: {{coins}}',
        summary: '예정 시각에 해당 코인이 중단된 상태였습니다.',
        content:
          '예정 시각에 이 정기 매수의 코인이 중단되어 매수하지 않았습니다. 다음 예정 시각에 계속됩니다.\n\n' +
          '예정 시각: {{time}}\n정기 매수 금액: {{amount}} {{coin}}\n매수하지 않은 코인: {{coins}}',
      },
      'ja-JP': {
        title: '積立購入を見送りました：{{coins}}',
        summary: '予定日時に対象銘柄が停止中でした。',
        content:
          '予定日時に積立対象の銘柄が停止していたため、購入しませんでした。積立は次の予定日時に続きます。\n\n' +
          '予定日時：{{time}}\n積立額：{{amount}} {{coin}}\n購入しなかった銘柄：{{coins}}',
      },
    },
  },
  recurringLate: {
    place: 'recurring',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Recurring buy skipped: {{coins}}',
        summary: 'It could not be made within 6 hours of its time.',
        content:
          'The exchange or a reliable price was not available at the scheduled time and in the 6 hours after it, so these coins were not bought. The plan continues at its next time.\n\n' +
          'Scheduled: {{time}}\nAmount of the plan: {{amount}} {{coin}}\nNot bought: {{coins}}',
      },
      'zh-CN': {
        title: '定投已跳过：{{coins}}',
        summary: '未能在计划时间后 6 小时内成交。',
        content:
          '计划时间及其后 6 小时内，系统或可靠价格不可用，未能买入以下币种。定投将在下次时间继续。\n\n' +
          '计划时间：{{time}}\n定投金额：{{amount}} {{coin}}\n未买入：{{coins}}',
      },
      'ko-KR': {
        title: '정기 매수 건너뜀: {{coins}}',
        summary: '예정 시각부터 6시간 안에 체결할 수 없었습니다.',
        content:
          '예정 시각과 그 후 6시간 동안 거래소 또는 신뢰할 수 있는 가격을 이용할 수 없어 아래 코인을 매수하지 않았습니다. 다음 예정 시각에 계속됩니다.\n\n' +
          '예정 시각: {{time}}\n정기 매수 금액: {{amount}} {{coin}}\n매수하지 않은 코인: {{coins}}',
      },
      'ja-JP': {
        title: '積立購入を見送りました：{{coins}}',
        summary: '予定日時から6時間以内に約定できませんでした。',
        content:
          '予定日時とその後6時間、システムまたは信頼できる価格を利用できなかったため、下記の銘柄を購入しませんでした。積立は次の予定日時に続きます。\n\n' +
          '予定日時：{{time}}\n積立額：{{amount}} {{coin}}\n購入しなかった銘柄：{{coins}}',
      },
    },
  },
  recurringAccount: {
    place: 'recurring',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Recurring buy skipped: {{coins}}',
        summary: 'Your account could not buy at the scheduled time.',
        content:
          'Your account was not permitted to buy at the scheduled time, for example because it was frozen or its identity was not verified. Check your account, or end the plan.\n\n' +
          'Scheduled: {{time}}\nAmount of the plan: {{amount}} {{coin}}\nNot bought: {{coins}}',
      },
      'zh-CN': {
        title: '定投已跳过：{{coins}}',
        summary: '计划时间您的账户无法买入。',
        content:
          '计划时间您的账户不允许买入，例如账户已冻结或未完成身份认证。请检查账户状态，或终止该定投。\n\n' +
          '计划时间：{{time}}\n定投金额：{{amount}} {{coin}}\n未买入：{{coins}}',
      },
      'ko-KR': {
        title: '정기 매수 건너뜀: {{coins}}',
        summary: '예정 시각에 계정에서 매수할 수 없었습니다.',
        content:
          '예정 시각에 계정이 동결되었거나 본인 인증이 완료되지 않는 등의 이유로 매수가 허용되지 않았습니다. 계정 상태를 확인하거나 정기 매수를 종료하세요.\n\n' +
          '예정 시각: {{time}}\n정기 매수 금액: {{amount}} {{coin}}\n매수하지 않은 코인: {{coins}}',
      },
      'ja-JP': {
        title: '積立購入を見送りました：{{coins}}',
        summary: '予定日時にアカウントで購入できませんでした。',
        content:
          'アカウントの凍結や本人確認の未完了などにより、予定日時に購入が許可されていませんでした。アカウントの状態を確認するか、積立を終了してください。\n\n' +
          '予定日時：{{time}}\n積立額：{{amount}} {{coin}}\n購入しなかった銘柄：{{coins}}',
      },
    },
  },
  recurringInventory: {
    place: 'recurring',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Recurring buy skipped: {{coins}}',
        summary: 'Convert did not have enough of these coins.',
        content:
          'Convert did not have enough of these coins at the scheduled time, so they were not bought. The plan continues at its next time.\n\n' +
          'Scheduled: {{time}}\nAmount of the plan: {{amount}} {{coin}}\nNot bought: {{coins}}',
      },
      'zh-CN': {
        title: '定投已跳过：{{coins}}',
        summary: '闪兑库存不足。',
        content:
          '计划时间闪兑的币种库存不足，未能买入。定投将在下次时间继续。\n\n' +
          '计划时间：{{time}}\n定投金额：{{amount}} {{coin}}\n未买入：{{coins}}',
      },
      'ko-KR': {
        title: '정기 매수 건너뜀: {{coins}}',
        summary: '전환에 필요한 코인 수량이 부족했습니다.',
        content:
          '예정 시각에 전환용 코인 수량이 부족하여 매수하지 않았습니다. 다음 예정 시각에 계속됩니다.\n\n' +
          '예정 시각: {{time}}\n정기 매수 금액: {{amount}} {{coin}}\n매수하지 않은 코인: {{coins}}',
      },
      'ja-JP': {
        title: '積立購入を見送りました：{{coins}}',
        summary: 'コンバートの在庫が足りませんでした。',
        content:
          '予定日時にコンバートの在庫が足りなかったため、購入しませんでした。積立は次の予定日時に続きます。\n\n' +
          '予定日時：{{time}}\n積立額：{{amount}} {{coin}}\n購入しなかった銘柄：{{coins}}',
      },
    },
  },
  recurringAmount: {
    place: 'recurring',
    topic: 'products',
    words: {
      'en-US': {
        title: 'Recurring buy skipped: {{coins}}',
        summary: 'The amount was outside the limits of a conversion.',
        content:
          'At the price of the scheduled time, the amount was outside the limits of a conversion (1 to 50,000 USDT), so it was not made. End the plan and create one with another amount.\n\n' +
          'Scheduled: {{time}}\nAmount of the plan: {{amount}} {{coin}}\nNot bought: {{coins}}',
      },
      'zh-CN': {
        title: '定投已跳过：{{coins}}',
        summary: '金额超出单笔闪兑限额。',
        content:
          '按计划时间的价格，金额超出单笔闪兑限额（1 至 50,000 USDT），未能买入。请终止该定投，并以其他金额重新创建。\n\n' +
          '计划时间：{{time}}\n定投金额：{{amount}} {{coin}}\n未买入：{{coins}}',
      },
      'ko-KR': {
        title: '정기 매수 건너뜀: {{coins}}',
        summary: '금액이 전환 한도를 벗어났습니다.',
        content:
          '예정 시각의 가격으로 계산한 금액이 전환 한도(1~50,000 USDT)를 벗어나 매수하지 않았습니다. 정기 매수를 종료하고 다른 금액으로 새로 만드세요.\n\n' +
          '예정 시각: {{time}}\n정기 매수 금액: {{amount}} {{coin}}\n매수하지 않은 코인: {{coins}}',
      },
      'ja-JP': {
        title: '積立購入を見送りました：{{coins}}',
        summary: '金額がコンバートの限度額の範囲外でした。',
        content:
          '予定日時の価格で計算した金額がコンバートの限度額（1～50,000 USDT）の範囲外だったため、購入しませんでした。積立を終了し、別の金額で作り直してください。\n\n' +
          '予定日時：{{time}}\n積立額：{{amount}} {{coin}}\n購入しなかった銘柄：{{coins}}',
      },
    },
  },
});
