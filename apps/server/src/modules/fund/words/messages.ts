import { declareMessages } from '../../messages/index.ts';

/** The kinds of messages that the fund module sends, with their links, topics and texts. */
export const fundMessages = declareMessages({
  fundBought: {
    place: 'fund',
    topic: 'products',
    words: {
      'en-US': {
        title: '{{fund}}: bought {{quantity}} units',
        summary: 'At {{value}} {{coin}}, {{leverage}}× leverage, margin {{margin}} {{coin}}.',
        content:
          'Your fund purchase was executed at the first unit value after it was accepted.\n\n' +
          'Fund: {{fund}}\nUnits: {{quantity}}\nUnit value: {{value}} {{coin}}\nLeverage: {{leverage}}×\nMargin: {{margin}} {{coin}}\nLiquidation below: {{limit}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '{{fund}}：买入 {{quantity}} 份',
        summary: '成交净值 {{value}} {{coin}}，{{leverage}} 倍杠杆，保证金 {{margin}} {{coin}}。',
        content:
          '您的基金买入已按受理后的第一个净值成交。\n\n' +
          '基金：{{fund}}\n份额：{{quantity}}\n净值：{{value}} {{coin}}\n杠杆：{{leverage}} 倍\n保证金：{{margin}} {{coin}}\n强平净值：{{limit}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '{{fund}}: {{quantity}}좌 매수',
        summary: '기준가 {{value}} {{coin}}, 레버리지 {{leverage}}×, 증거금 {{margin}} {{coin}}.',
        content:
          '접수 후 첫 기준가로 펀드 매수가 체결되었습니다.\n\n' +
          '펀드: {{fund}}\n수량: {{quantity}}좌\n기준가: {{value}} {{coin}}\n레버리지: {{leverage}}×\n증거금: {{margin}} {{coin}}\n청산 기준: {{limit}} 미만\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '{{fund}}：{{quantity}}口を購入',
        summary: '基準価額{{value}} {{coin}}、レバレッジ{{leverage}}倍、証拠金{{margin}} {{coin}}',
        content:
          'ファンドの購入が、受付後最初の基準価額で約定しました。\n\n' +
          'ファンド：{{fund}}\n口数：{{quantity}}\n基準価額：{{value}} {{coin}}\nレバレッジ：{{leverage}}倍\n証拠金：{{margin}} {{coin}}\n清算価格：{{limit}}\nポジション番号：{{order}}',
      },
    },
  },
  fundCancelled: {
    place: 'fund',
    topic: 'products',
    words: {
      'en-US': {
        title: '{{fund}}: purchase canceled',
        summary: '{{margin}} {{coin}} is back in your spot account.',
        content:
          'Your fund purchase could not be executed: there was no reliable unit value in time, the amount was too small for one step, or the fund was closed. Your margin is back in your spot account.\n\n' +
          'Fund: {{fund}}\nReturned: {{margin}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '{{fund}}：买入已取消',
        summary: '{{margin}} {{coin}} 已退回现货账户。',
        content:
          '您的基金买入未能成交：未及时取得可靠净值、金额不足一个最小份额，或基金已关闭。保证金已退回现货账户。\n\n' +
          '基金：{{fund}}\n退回：{{margin}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '{{fund}}: 매수 취소',
        summary: '현물 계좌로 {{margin}} {{coin}} 반환되었습니다.',
        content:
          '펀드 매수를 체결할 수 없었습니다. 정해진 시간 안에 신뢰할 수 있는 기준가가 나오지 않았거나, 금액이 최소 단위보다 적었거나, 펀드가 종료되었기 때문입니다. 증거금은 현물 계좌로 반환되었습니다.\n\n' +
          '펀드: {{fund}}\n반환: {{margin}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '{{fund}}：購入の取消',
        summary: '{{margin}} {{coin}}を現物口座に返金しました。',
        content:
          'ファンドの購入は約定しませんでした。時間内に信頼できる基準価額が得られなかったか、金額が最小単位に満たなかったか、ファンドが終了したためです。証拠金は現物口座に返金しました。\n\n' +
          'ファンド：{{fund}}\n返金額：{{margin}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
  fundWarned: {
    place: 'fund',
    push: 'risk',
    words: {
      'en-US': {
        title: '{{fund}}: margin ratio below {{ratio}}',
        summary: 'The unit value is {{value}} {{coin}}. The position is liquidated below {{limit}}.',
        content:
          'The margin ratio of your position fell below {{ratio}}. At a ratio below 1 it is liquidated. Add margin or sell units to lower the risk.\n\n' +
          'Fund: {{fund}}\nUnits: {{quantity}}\nUnit value: {{value}} {{coin}}\nLiquidation below: {{limit}} {{coin}}\nMargin: {{margin}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '{{fund}}：保证金率低于 {{ratio}}',
        summary: '当前净值 {{value}} {{coin}}，低于 {{limit}} 将被强平。',
        content:
          '您的持仓保证金率已低于 {{ratio}}，低于 1 时将被强制平仓。您可以追加保证金或卖出部分份额以降低风险。\n\n' +
          '基金：{{fund}}\n份额：{{quantity}}\n净值：{{value}} {{coin}}\n强平净值：{{limit}} {{coin}}\n保证金：{{margin}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '{{fund}}: 증거금 비율 {{ratio}} 미만',
        summary: '기준가는 {{value}} {{coin}}이며, {{limit}} 미만이면 청산됩니다.',
        content:
          '포지션의 증거금 비율이 {{ratio}} 아래로 내려갔습니다. 비율이 1 미만이 되면 청산됩니다. 증거금을 추가하거나 일부를 매도하면 청산 위험을 줄일 수 있습니다.\n\n' +
          '펀드: {{fund}}\n수량: {{quantity}}좌\n기준가: {{value}} {{coin}}\n청산 기준: {{limit}} {{coin}} 미만\n증거금: {{margin}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '{{fund}}：証拠金維持率が{{ratio}}を下回りました',
        summary: '基準価額は{{value}} {{coin}}です。{{limit}}を下回ると清算されます。',
        content:
          'ポジションの証拠金維持率が{{ratio}}を下回りました。1を下回ると清算されます。証拠金の追加や口数の売却でリスクを下げられます。\n\n' +
          'ファンド：{{fund}}\n口数：{{quantity}}\n基準価額：{{value}} {{coin}}\n清算価格：{{limit}} {{coin}}\n証拠金：{{margin}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
  fundLiquidated: {
    place: 'fund',
    push: 'risk',
    words: {
      'en-US': {
        title: '{{fund}}: position liquidated',
        summary: 'At {{value}} {{coin}}; {{amount}} {{coin}} was returned.',
        content:
          'Your equity fell below the maintenance margin, so your position was closed at that unit value.\n\n' +
          'Fund: {{fund}}\nUnits: {{quantity}}\nBought at: {{price}} {{coin}}\nLiquidated at: {{value}} {{coin}}\nReturned: {{amount}} {{coin}}\nTime: {{time}}\nPosition ID: {{order}}\n\n' +
          'In your records, you can check this liquidation against the public price record.',
      },
      'zh-CN': {
        title: '{{fund}}：持仓已强平',
        summary: '强平净值 {{value}} {{coin}}，退回 {{amount}} {{coin}}。',
        content:
          '您的权益低于维持保证金，持仓已按当时净值强制平仓。\n\n' +
          '基金：{{fund}}\n份额：{{quantity}}\n买入净值：{{price}} {{coin}}\n强平净值：{{value}} {{coin}}\n退回：{{amount}} {{coin}}\n时间：{{time}}\n持仓编号：{{order}}\n\n' +
          '您可在基金记录中对照公开价格记录核对本次强平。',
      },
      'ko-KR': {
        title: '{{fund}}: 포지션 청산',
        summary: '청산 기준가 {{value}} {{coin}}, 반환 {{amount}} {{coin}}.',
        content:
          '평가 자산이 유지 증거금 아래로 내려가 해당 기준가로 포지션이 청산되었습니다.\n\n' +
          '펀드: {{fund}}\n수량: {{quantity}}좌\n매수 기준가: {{price}} {{coin}}\n청산 기준가: {{value}} {{coin}}\n반환: {{amount}} {{coin}}\n시간: {{time}}\n포지션 번호: {{order}}\n\n' +
          '내 펀드에서 이 청산을 공개 가격 기록과 대조해 검증할 수 있습니다.',
      },
      'ja-JP': {
        title: '{{fund}}：ポジションを清算',
        summary: '清算価額{{value}} {{coin}}、返還額{{amount}} {{coin}}',
        content:
          '評価額が維持証拠金を下回ったため、その基準価額でポジションを清算しました。\n\n' +
          'ファンド：{{fund}}\n口数：{{quantity}}\n取得価額：{{price}} {{coin}}\n清算価額：{{value}} {{coin}}\n返還額：{{amount}} {{coin}}\n日時：{{time}}\nポジション番号：{{order}}\n\n' +
          'この清算は、保有ファンドの画面で公開価格記録と照合できます。',
      },
    },
  },
  fundSold: {
    place: 'fund',
    topic: 'products',
    words: {
      'en-US': {
        title: '{{fund}}: limit sell executed',
        summary: '{{quantity}} units at {{value}} {{coin}}; you received {{amount}} {{coin}}.',
        content:
          'Your limit order to sell fund units was executed.\n\n' +
          'Fund: {{fund}}\nUnits: {{quantity}}\nBought at: {{price}} {{coin}}\nSold at: {{value}} {{coin}}\nReceived: {{amount}} {{coin}}\nTime: {{time}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '{{fund}}：限价卖出已成交',
        summary: '以 {{value}} {{coin}} 卖出 {{quantity}} 份，到账 {{amount}} {{coin}}。',
        content:
          '您的基金限价卖出委托已成交。\n\n' +
          '基金：{{fund}}\n份额：{{quantity}}\n买入净值：{{price}} {{coin}}\n卖出净值：{{value}} {{coin}}\n到账：{{amount}} {{coin}}\n时间：{{time}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '{{fund}}: 지정가 매도 체결',
        summary: '{{value}} {{coin}}에 {{quantity}}좌 매도, 수령 {{amount}} {{coin}}.',
        content:
          '펀드 지정가 매도 주문이 체결되었습니다.\n\n' +
          '펀드: {{fund}}\n수량: {{quantity}}좌\n매수 기준가: {{price}} {{coin}}\n매도 기준가: {{value}} {{coin}}\n수령: {{amount}} {{coin}}\n시간: {{time}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '{{fund}}：指値売却が約定',
        summary: '{{quantity}}口を{{value}} {{coin}}で売却、受取額{{amount}} {{coin}}',
        content:
          'ファンドの指値売却注文が約定しました。\n\n' +
          'ファンド：{{fund}}\n口数：{{quantity}}\n取得価額：{{price}} {{coin}}\n売却価額：{{value}} {{coin}}\n受取額：{{amount}} {{coin}}\n日時：{{time}}\nポジション番号：{{order}}',
      },
    },
  },
  fundExited: {
    place: 'fund',
    push: 'risk',
    words: {
      'en-US': {
        title: '{{fund}} was closed: {{amount}} {{coin}} returned',
        summary: 'All units were redeemed at {{value}} {{coin}}.',
        content:
          'The fund was closed, and all of its units were redeemed at the last unit value.\n\n' +
          'Fund: {{fund}}\nUnits: {{quantity}}\nBought at: {{price}} {{coin}}\nRedeemed at: {{value}} {{coin}}\nReceived: {{amount}} {{coin}}\nTime: {{time}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '{{fund}} 已关闭：退回 {{amount}} {{coin}}',
        summary: '全部份额已按净值 {{value}} {{coin}} 赎回。',
        content:
          '该基金已关闭，全部份额已按最终净值赎回。\n\n' +
          '基金：{{fund}}\n份额：{{quantity}}\n买入净值：{{price}} {{coin}}\n赎回净值：{{value}} {{coin}}\n到账：{{amount}} {{coin}}\n时间：{{time}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '{{fund}} 종료: {{amount}} {{coin}} 반환',
        summary: '전량이 {{value}} {{coin}}에 상환되었습니다.',
        content:
          '펀드가 종료되어 전량이 마지막 기준가로 상환되었습니다.\n\n' +
          '펀드: {{fund}}\n수량: {{quantity}}좌\n매수 기준가: {{price}} {{coin}}\n상환 기준가: {{value}} {{coin}}\n수령: {{amount}} {{coin}}\n시간: {{time}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '{{fund}}の終了：{{amount}} {{coin}}を返還',
        summary: 'すべての口数を{{value}} {{coin}}で償還しました。',
        content:
          'ファンドが終了し、すべての口数を最後の基準価額で償還しました。\n\n' +
          'ファンド：{{fund}}\n口数：{{quantity}}\n取得価額：{{price}} {{coin}}\n償還価額：{{value}} {{coin}}\n受取額：{{amount}} {{coin}}\n日時：{{time}}\nポジション番号：{{order}}',
      },
    },
  },
});
