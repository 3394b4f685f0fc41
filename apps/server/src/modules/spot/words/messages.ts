import { declareMessages } from '../../messages/index.ts';

/**
 * The kinds of inbox messages to users about algorithmic orders (such as TWAP or iceberg), with their links,
 * topics and texts.
 */
export const algoMessages = declareMessages({
  twapFilled: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'TWAP order completed: {{pair}}',
        summary: '{{amount}} {{coin}} at an average of {{price}}.',
        content:
          'Your TWAP order for {{pair}} is completely filled.\n\nFilled: {{amount}} of {{whole}} {{coin}} in {{count}} orders\nAverage price: {{price}}\nPrice at the start: {{from}} {{unit}}\nSlippage: {{slippage}} basis points\nFees: {{fee}} {{feeCoin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: 'TWAP 委托已完成：{{pair}}',
        summary: '{{amount}} {{coin}}，均价 {{price}}。',
        content:
          '您的 {{pair}} TWAP 委托已全部成交。\n\n已成交：{{amount}} / {{whole}} {{coin}}，共 {{count}} 笔子订单\n成交均价：{{price}}\n开始时价格：{{from}} {{unit}}\n滑点：{{slippage}} 个基点\n手续费：{{fee}} {{feeCoin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: 'TWAP 주문 완료: {{pair}}',
        summary: '{{amount}} {{coin}}, 평균 {{price}}.',
        content:
          '{{pair}} TWAP 주문이 모두 체결되었습니다.\n\n체결 수량: {{amount}} / {{whole}} {{coin}}(주문 {{count}}건)\n평균 체결가: {{price}}\n시작 시 가격: {{from}} {{unit}}\n슬리피지: {{slippage}} bp\n수수료: {{fee}} {{feeCoin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: 'TWAP注文が完了：{{pair}}',
        summary: '{{amount}} {{coin}}、平均{{price}}',
        content:
          '{{pair}}のTWAP注文がすべて約定しました。\n\n約定数量：{{amount}} / {{whole}} {{coin}}（注文{{count}}件）\n平均約定価格：{{price}}\n開始時の価格：{{from}} {{unit}}\nスリッページ：{{slippage}} bps\n手数料：{{fee}} {{feeCoin}}\n終了日時：{{time}}',
      },
    },
  },
  twapEnded: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'TWAP order ended: {{pair}}',
        summary: '{{amount}} of {{whole}} {{coin}} filled. {{reason}}',
        content:
          'Your TWAP order for {{pair}} has ended. {{reason}}\n\nFilled: {{amount}} of {{whole}} {{coin}} in {{count}} orders\nAverage price: {{price}}\nPrice at the start: {{from}} {{unit}}\nSlippage: {{slippage}} basis points\nFees: {{fee}} {{feeCoin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: 'TWAP 委托已结束：{{pair}}',
        summary: '已成交 {{amount}} / {{whole}} {{coin}}。{{reason}}',
        content:
          '您的 {{pair}} TWAP 委托已结束。{{reason}}\n\n已成交：{{amount}} / {{whole}} {{coin}}，共 {{count}} 笔子订单\n成交均价：{{price}}\n开始时价格：{{from}} {{unit}}\n滑点：{{slippage}} 个基点\n手续费：{{fee}} {{feeCoin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: 'TWAP 주문 종료: {{pair}}',
        summary: '체결 {{amount}} / {{whole}} {{coin}}. {{reason}}',
        content:
          '{{pair}} TWAP 주문이 종료되었습니다. {{reason}}\n\n체결 수량: {{amount}} / {{whole}} {{coin}}(주문 {{count}}건)\n평균 체결가: {{price}}\n시작 시 가격: {{from}} {{unit}}\n슬리피지: {{slippage}} bp\n수수료: {{fee}} {{feeCoin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: 'TWAP注文が終了：{{pair}}',
        summary: '{{amount}} / {{whole}} {{coin}}が約定。{{reason}}',
        content:
          '{{pair}}のTWAP注文が終了しました。{{reason}}\n\n約定数量：{{amount}} / {{whole}} {{coin}}（注文{{count}}件）\n平均約定価格：{{price}}\n開始時の価格：{{from}} {{unit}}\nスリッページ：{{slippage}} bps\n手数料：{{fee}} {{feeCoin}}\n終了日時：{{time}}',
      },
    },
  },
  twapPaused: {
    place: 'pair',
    push: 'fills',
    words: {
      'en-US': {
        title: 'TWAP order paused: {{pair}}',
        summary: '{{reason}}',
        content:
          'Your TWAP order for {{pair}} is waiting. {{reason}}\n\nIt goes on by itself as soon as its next order can be placed, and ends at {{time}} at the latest. Filled so far: {{amount}} of {{whole}} {{coin}}.',
      },
      'zh-CN': {
        title: 'TWAP 委托已暂停：{{pair}}',
        summary: '{{reason}}',
        content:
          '您的 {{pair}} TWAP 委托正在等待。{{reason}}\n\n条件满足后将自动继续，最晚于 {{time}} 结束。目前已成交 {{amount}} / {{whole}} {{coin}}。',
      },
      'ko-KR': {
        title: 'TWAP 주문 일시 중지: {{pair}}',
        summary: '{{reason}}',
        content:
          '{{pair}} TWAP 주문이 대기 중입니다. {{reason}}\n\n다음 주문을 낼 수 있게 되면 자동으로 이어지며, 늦어도 {{time}}까지 종료됩니다. 현재 체결 수량: {{amount}} / {{whole}} {{coin}}.',
      },
      'ja-JP': {
        title: 'TWAP注文が一時停止：{{pair}}',
        summary: '{{reason}}',
        content:
          '{{pair}}のTWAP注文は待機中です。{{reason}}\n\n次の注文を発注できるようになると自動で再開し、遅くとも{{time}}に終了します。現在の約定数量：{{amount}} / {{whole}} {{coin}}',
      },
    },
  },
  icebergFilled: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'Iceberg filled: {{pair}}',
        summary: '{{amount}} {{coin}} at an average of {{price}}.',
        content:
          'Your iceberg for {{pair}} is completely filled.\n\nFilled: {{amount}} {{coin}} in {{count}} orders\nAverage price: {{price}}\nFees: {{fee}} {{feeCoin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: '冰山委托已全部成交：{{pair}}',
        summary: '{{amount}} {{coin}}，均价 {{price}}。',
        content:
          '您的 {{pair}} 冰山委托已全部成交。\n\n已成交：{{amount}} {{coin}}，共 {{count}} 笔子订单\n成交均价：{{price}}\n手续费：{{fee}} {{feeCoin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: '빙산 주문 체결 완료: {{pair}}',
        summary: '{{amount}} {{coin}}, 평균 {{price}}.',
        content:
          '{{pair}} 빙산 주문이 모두 체결되었습니다.\n\n체결 수량: {{amount}} {{coin}}(주문 {{count}}건)\n평균 체결가: {{price}}\n수수료: {{fee}} {{feeCoin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: 'アイスバーグ注文が全量約定：{{pair}}',
        summary: '{{amount}} {{coin}}、平均{{price}}',
        content:
          '{{pair}}のアイスバーグ注文がすべて約定しました。\n\n約定数量：{{amount}} {{coin}}（注文{{count}}件）\n平均約定価格：{{price}}\n手数料：{{fee}} {{feeCoin}}\n終了日時：{{time}}',
      },
    },
  },
  icebergEnded: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'Iceberg ended: {{pair}}',
        summary: '{{amount}} of {{whole}} {{coin}} filled. {{reason}}',
        content:
          'Your iceberg for {{pair}} has ended. {{reason}}\n\nFilled: {{amount}} of {{whole}} {{coin}} in {{count}} orders\nAverage price: {{price}}\nFees: {{fee}} {{feeCoin}}\nEnded: {{time}}\n\nThe funds reserved for the rest are available again.',
      },
      'zh-CN': {
        title: '冰山委托已结束：{{pair}}',
        summary: '已成交 {{amount}} / {{whole}} {{coin}}。{{reason}}',
        content:
          '您的 {{pair}} 冰山委托已结束。{{reason}}\n\n已成交：{{amount}} / {{whole}} {{coin}}，共 {{count}} 笔子订单\n成交均价：{{price}}\n手续费：{{fee}} {{feeCoin}}\n结束时间：{{time}}\n\n未成交部分冻结的资金已解冻。',
      },
      'ko-KR': {
        title: '빙산 주문 종료: {{pair}}',
        summary: '체결 {{amount}} / {{whole}} {{coin}}. {{reason}}',
        content:
          '{{pair}} 빙산 주문이 종료되었습니다. {{reason}}\n\n체결 수량: {{amount}} / {{whole}} {{coin}}(주문 {{count}}건)\n평균 체결가: {{price}}\n수수료: {{fee}} {{feeCoin}}\n종료 시각: {{time}}\n\n미체결 수량에 묶여 있던 금액은 다시 사용할 수 있습니다.',
      },
      'ja-JP': {
        title: 'アイスバーグ注文が終了：{{pair}}',
        summary: '{{amount}} / {{whole}} {{coin}}が約定。{{reason}}',
        content:
          '{{pair}}のアイスバーグ注文が終了しました。{{reason}}\n\n約定数量：{{amount}} / {{whole}} {{coin}}（注文{{count}}件）\n平均約定価格：{{price}}\n手数料：{{fee}} {{feeCoin}}\n終了日時：{{time}}\n\n未約定分の拘束は解除されました。',
      },
    },
  },
  chaseFilled: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'Chase order filled: {{pair}}',
        summary: '{{amount}} {{coin}} at an average of {{price}}.',
        content:
          'Your chase order for {{pair}} is completely filled.\n\nFilled: {{amount}} {{coin}}\nAverage price: {{price}}\nPrice at the start: {{from}} {{unit}}\nPrice changes: {{count}}\nFees: {{fee}} {{feeCoin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: '追价委托已全部成交：{{pair}}',
        summary: '{{amount}} {{coin}}，均价 {{price}}。',
        content:
          '您的 {{pair}} 追价委托已全部成交。\n\n已成交：{{amount}} {{coin}}\n成交均价：{{price}}\n开始时价格：{{from}} {{unit}}\n调价次数：{{count}}\n手续费：{{fee}} {{feeCoin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: '추격 주문 체결 완료: {{pair}}',
        summary: '{{amount}} {{coin}}, 평균 {{price}}.',
        content:
          '{{pair}} 추격 주문이 모두 체결되었습니다.\n\n체결 수량: {{amount}} {{coin}}\n평균 체결가: {{price}}\n시작 시 가격: {{from}} {{unit}}\n가격 변경 횟수: {{count}}\n수수료: {{fee}} {{feeCoin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: '追跡注文が全量約定：{{pair}}',
        summary: '{{amount}} {{coin}}、平均{{price}}',
        content:
          '{{pair}}の追跡注文がすべて約定しました。\n\n約定数量：{{amount}} {{coin}}\n平均約定価格：{{price}}\n開始時の価格：{{from}} {{unit}}\n価格変更：{{count}}回\n手数料：{{fee}} {{feeCoin}}\n終了日時：{{time}}',
      },
    },
  },
  chaseEnded: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'Chase order ended: {{pair}}',
        summary: '{{amount}} of {{whole}} {{coin}} filled. {{reason}}',
        content:
          'Your chase order for {{pair}} has ended. {{reason}}\n\nFilled: {{amount}} of {{whole}} {{coin}}\nAverage price: {{price}}\nPrice at the start: {{from}} {{unit}}\nPrice changes: {{count}}\nFees: {{fee}} {{feeCoin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: '追价委托已结束：{{pair}}',
        summary: '已成交 {{amount}} / {{whole}} {{coin}}。{{reason}}',
        content:
          '您的 {{pair}} 追价委托已结束。{{reason}}\n\n已成交：{{amount}} / {{whole}} {{coin}}\n成交均价：{{price}}\n开始时价格：{{from}} {{unit}}\n调价次数：{{count}}\n手续费：{{fee}} {{feeCoin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: '추격 주문 종료: {{pair}}',
        summary: '체결 {{amount}} / {{whole}} {{coin}}. {{reason}}',
        content:
          '{{pair}} 추격 주문이 종료되었습니다. {{reason}}\n\n체결 수량: {{amount}} / {{whole}} {{coin}}\n평균 체결가: {{price}}\n시작 시 가격: {{from}} {{unit}}\n가격 변경 횟수: {{count}}\n수수료: {{fee}} {{feeCoin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: '追跡注文が終了：{{pair}}',
        summary: '{{amount}} / {{whole}} {{coin}}が約定。{{reason}}',
        content:
          '{{pair}}の追跡注文が終了しました。{{reason}}\n\n約定数量：{{amount}} / {{whole}} {{coin}}\n平均約定価格：{{price}}\n開始時の価格：{{from}} {{unit}}\n価格変更：{{count}}回\n手数料：{{fee}} {{feeCoin}}\n終了日時：{{time}}',
      },
    },
  },
  gridEnded: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'Grid ended: {{pair}}',
        summary: 'Result {{profit}} {{unit}}, holding {{holding}} {{unit}}. {{reason}}',
        content:
          'Your grid for {{pair}} has ended. {{reason}}\n\nCompleted steps: {{count}}, with a profit of {{gridProfit}} {{unit}} after fees\nInvested: {{invested}} {{unit}}\nValue at {{price}}: {{value}} {{unit}}\nResult: {{profit}} {{unit}}\nResult of holding without trades: {{holding}} {{unit}}\nFees: {{fee}} {{unit}} and {{baseFee}} {{coin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: '网格交易已结束：{{pair}}',
        summary: '总盈亏 {{profit}} {{unit}}，持币不动 {{holding}} {{unit}}。{{reason}}',
        content:
          '您的 {{pair}} 网格交易已结束。{{reason}}\n\n已完成网格：{{count}} 次，扣除手续费后利润 {{gridProfit}} {{unit}}\n投资额：{{invested}} {{unit}}\n按 {{price}} 计算的价值：{{value}} {{unit}}\n总盈亏：{{profit}} {{unit}}\n持币不动的盈亏：{{holding}} {{unit}}\n手续费：{{fee}} {{unit}} 及 {{baseFee}} {{coin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: '그리드 종료: {{pair}}',
        summary: '총손익 {{profit}} {{unit}}, 단순 보유 {{holding}} {{unit}}. {{reason}}',
        content:
          '{{pair}} 그리드 거래가 종료되었습니다. {{reason}}\n\n완료된 그리드: {{count}}회, 수수료 차감 후 수익 {{gridProfit}} {{unit}}\n투자금: {{invested}} {{unit}}\n{{price}} 기준 평가금액: {{value}} {{unit}}\n총손익: {{profit}} {{unit}}\n거래 없이 보유했을 때의 손익: {{holding}} {{unit}}\n수수료: {{fee}} {{unit}} 및 {{baseFee}} {{coin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: 'グリッド取引が終了：{{pair}}',
        summary: '損益{{profit}} {{unit}}、保有した場合{{holding}} {{unit}}。{{reason}}',
        content:
          '{{pair}}のグリッド取引が終了しました。{{reason}}\n\n成立したグリッド：{{count}}回、手数料差引後の利益{{gridProfit}} {{unit}}\n投資額：{{invested}} {{unit}}\n{{price}}での評価額：{{value}} {{unit}}\n損益：{{profit}} {{unit}}\n取引せず保有した場合の損益：{{holding}} {{unit}}\n手数料：{{fee}} {{unit}}、{{baseFee}} {{coin}}\n終了日時：{{time}}',
      },
    },
  },
  gridSold: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'Grid ended: {{pair}}',
        summary:
          '{{reason}} Sold {{sold}} {{coin}} for {{received}} {{unit}}; {{rest}} {{coin}} remain. Result {{profit}} {{unit}}.',
        content:
          'Your grid for {{pair}} has ended. {{reason}}\n\nSold at the end: {{sold}} {{coin}}, within the slippage\nReceived after fees: {{received}} {{unit}}\nCoins that were not sold and stay in your balance: {{rest}} {{coin}}\n\nCompleted steps: {{count}}, with a profit of {{gridProfit}} {{unit}} after fees\nInvested: {{invested}} {{unit}}\nValue at {{price}}: {{value}} {{unit}}\nResult: {{profit}} {{unit}}\nResult of holding without trades: {{holding}} {{unit}}\nFees: {{fee}} {{unit}} and {{baseFee}} {{coin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: '网格交易已结束：{{pair}}',
        summary:
          '{{reason}}已卖出 {{sold}} {{coin}}，获得 {{received}} {{unit}}；剩余 {{rest}} {{coin}}。总盈亏 {{profit}} {{unit}}。',
        content:
          '您的 {{pair}} 网格交易已结束。{{reason}}\n\n结束时卖出：{{sold}} {{coin}}（不超出滑点上限）\n扣除手续费后获得：{{received}} {{unit}}\n未卖出、保留在余额中：{{rest}} {{coin}}\n\n已完成网格：{{count}} 次，扣除手续费后利润 {{gridProfit}} {{unit}}\n投资额：{{invested}} {{unit}}\n按 {{price}} 计算的价值：{{value}} {{unit}}\n总盈亏：{{profit}} {{unit}}\n持币不动的盈亏：{{holding}} {{unit}}\n手续费：{{fee}} {{unit}} 及 {{baseFee}} {{coin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: '그리드 종료: {{pair}}',
        summary:
          '{{reason}} {{sold}} {{coin}} 매도, {{received}} {{unit}} 수령, 잔여 {{rest}} {{coin}}. 총손익 {{profit}} {{unit}}.',
        content:
          '{{pair}} 그리드 거래가 종료되었습니다. {{reason}}\n\n종료 시 매도: {{sold}} {{coin}} (슬리피지 한도 이내)\n수수료 차감 후 수령: {{received}} {{unit}}\n매도되지 않고 잔고에 남은 수량: {{rest}} {{coin}}\n\n완료된 그리드: {{count}}회, 수수료 차감 후 수익 {{gridProfit}} {{unit}}\n투자금: {{invested}} {{unit}}\n{{price}} 기준 평가금액: {{value}} {{unit}}\n총손익: {{profit}} {{unit}}\n거래 없이 보유했을 때의 손익: {{holding}} {{unit}}\n수수료: {{fee}} {{unit}} 및 {{baseFee}} {{coin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: 'グリッド取引が終了：{{pair}}',
        summary:
          '{{reason}}{{sold}} {{coin}}を売却し{{received}} {{unit}}を受け取りました。残りは{{rest}} {{coin}}、損益は{{profit}} {{unit}}です。',
        content:
          '{{pair}}のグリッド取引が終了しました。{{reason}}\n\n終了時の売却：{{sold}} {{coin}}（スリッページ上限の範囲内）\n手数料差引後の受取額：{{received}} {{unit}}\n売却されず残高に残ったコイン：{{rest}} {{coin}}\n\n成立したグリッド：{{count}}回、手数料差引後の利益{{gridProfit}} {{unit}}\n投資額：{{invested}} {{unit}}\n{{price}}での評価額：{{value}} {{unit}}\n損益：{{profit}} {{unit}}\n取引せず保有した場合の損益：{{holding}} {{unit}}\n手数料：{{fee}} {{unit}}、{{baseFee}} {{coin}}\n終了日時：{{time}}',
      },
    },
  },
  ladderEnded: {
    place: 'pair',
    topic: 'fills',
    words: {
      'en-US': {
        title: 'Ladder ended: {{pair}}',
        summary: '{{count}} of {{orders}} orders filled, {{amount}} {{coin}}.',
        content:
          'No order of your ladder for {{pair}} is open any more.\n\nFilled orders: {{count}} of {{orders}}\nFilled: {{amount}} of {{whole}} {{coin}}\nAverage price: {{price}}\nFees: {{fee}} {{feeCoin}}\nEnded: {{time}}',
      },
      'zh-CN': {
        title: '阶梯委托已结束：{{pair}}',
        summary: '{{orders}} 笔中 {{count}} 笔已成交，共 {{amount}} {{coin}}。',
        content:
          '您的 {{pair}} 阶梯委托已没有未完成的委托。\n\n已成交委托：{{count}} / {{orders}} 笔\n已成交：{{amount}} / {{whole}} {{coin}}\n成交均价：{{price}}\n手续费：{{fee}} {{feeCoin}}\n结束时间：{{time}}',
      },
      'ko-KR': {
        title: '분할 주문 종료: {{pair}}',
        summary: '{{orders}}건 중 {{count}}건 체결, {{amount}} {{coin}}.',
        content:
          '{{pair}} 분할 주문에 미체결 주문이 더 이상 없습니다.\n\n체결 주문: {{count}} / {{orders}}건\n체결 수량: {{amount}} / {{whole}} {{coin}}\n평균 체결가: {{price}}\n수수료: {{fee}} {{feeCoin}}\n종료 시각: {{time}}',
      },
      'ja-JP': {
        title: 'ラダー注文が終了：{{pair}}',
        summary: '{{orders}}件中{{count}}件が約定、{{amount}} {{coin}}',
        content:
          '{{pair}}のラダー注文に未約定の注文はなくなりました。\n\n約定した注文：{{orders}}件中{{count}}件\n約定数量：{{amount}} / {{whole}} {{coin}}\n平均約定価格：{{price}}\n手数料：{{fee}} {{feeCoin}}\n終了日時：{{time}}',
      },
    },
  },
});
