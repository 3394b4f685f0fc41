import { declareMessages } from '../../messages/index.ts';

/**
 * Kinds of messages to the owners of alerts: about alerts on moves within a window, alerts on crossings of
 * averages and other indicators, and orders that alerts place.
 */
export const alertMessages = declareMessages({
  priceSwung: {
    place: 'pair',
    topic: 'alerts',
    words: {
      'en-US': {
        title: '{{pair}} has moved by {{percent}}% within {{window}}',
        summary: 'From {{from}} to {{price}} {{unit}}.',
        content:
          'The last price of {{pair}} was {{price}} {{unit}} on {{time}}: {{percent}}% from {{from}} {{unit}} within {{window}}.\n\n' +
          'You asked to be notified of a move of {{limit}}% or more within {{window}}.',
      },
      'zh-CN': {
        title: '{{pair}} 在 {{window}} 内涨跌 {{percent}}%',
        summary: '从 {{from}} 到 {{price}} {{unit}}。',
        content:
          '{{pair}} 于 {{time}} 的最新价为 {{price}} {{unit}}，{{window}} 内较 {{from}} {{unit}} 变动 {{percent}}%。\n\n' +
          '您设置了在 {{window}} 内涨跌幅达到 {{limit}}% 时提醒。',
      },
      'ko-KR': {
        title: '{{pair}} 가격이 {{window}} 안에 {{percent}}% 변동',
        summary: '{{from}} → {{price}} {{unit}}.',
        content:
          '{{time}} 기준 {{pair}} 현재가는 {{price}} {{unit}}입니다. {{window}} 안에 {{from}} {{unit}} 대비 {{percent}}% 변동했습니다.\n\n' +
          '{{window}} 안에 {{limit}}% 이상 변동하면 알리도록 설정하셨습니다.',
      },
      'ja-JP': {
        title: '{{pair}}が{{window}}以内に{{percent}}%変動',
        summary: '{{from}}から{{price}} {{unit}}に変動しました。',
        content:
          '{{time}}の{{pair}}の最新価格は{{price}} {{unit}}で、{{window}}以内に{{from}} {{unit}}から{{percent}}%変動しました。\n\n' +
          '{{window}}以内に{{limit}}%以上変動したら通知するよう設定されています。',
      },
    },
  },
  indexSwung: {
    place: 'pair',
    topic: 'alerts',
    words: {
      'en-US': {
        title: 'The index of {{pair}} has moved by {{percent}}% within {{window}}',
        summary: 'From {{from}} to {{price}} {{unit}}.',
        content:
          'The index of {{pair}} was {{price}} {{unit}} on {{time}}: {{percent}}% from {{from}} {{unit}} within {{window}}.\n\n' +
          'You asked to be notified of a move of {{limit}}% or more within {{window}}.',
      },
      'zh-CN': {
        title: '{{pair}} 指数价格在 {{window}} 内涨跌 {{percent}}%',
        summary: '从 {{from}} 到 {{price}} {{unit}}。',
        content:
          '{{pair}} 于 {{time}} 的指数价格为 {{price}} {{unit}}，{{window}} 内较 {{from}} {{unit}} 变动 {{percent}}%。\n\n' +
          '您设置了在 {{window}} 内涨跌幅达到 {{limit}}% 时提醒。',
      },
      'ko-KR': {
        title: '{{pair}} 인덱스 가격이 {{window}} 안에 {{percent}}% 변동',
        summary: '{{from}} → {{price}} {{unit}}.',
        content:
          '{{time}} 기준 {{pair}} 인덱스 가격은 {{price}} {{unit}}입니다. {{window}} 안에 {{from}} {{unit}} 대비 {{percent}}% 변동했습니다.\n\n' +
          '{{window}} 안에 {{limit}}% 이상 변동하면 알리도록 설정하셨습니다.',
      },
      'ja-JP': {
        title: '{{pair}}のインデックス価格が{{window}}以内に{{percent}}%変動',
        summary: '{{from}}から{{price}} {{unit}}に変動しました。',
        content:
          '{{time}}の{{pair}}のインデックス価格は{{price}} {{unit}}で、{{window}}以内に{{from}} {{unit}}から{{percent}}%変動しました。\n\n' +
          '{{window}}以内に{{limit}}%以上変動したら通知するよう設定されています。',
      },
    },
  },
  candleCrossedUp: {
    place: 'pair',
    topic: 'alerts',
    words: {
      'en-US': {
        title: '{{pair}} closed above its {{average}} ({{interval}})',
        summary: 'Close {{price}} {{unit}}, average {{from}} {{unit}}.',
        content:
          'The {{interval}} candle of {{pair}} that closed on {{time}} ended at {{price}} {{unit}}, above its {{average}} of {{from}} {{unit}}. The candle before had not ended above it.\n\n' +
          'You asked to be notified of this crossing. Only closed candles count.',
      },
      'zh-CN': {
        title: '{{pair}} 收盘上穿 {{average}}（{{interval}}）',
        summary: '收盘价 {{price}} {{unit}}，均线 {{from}} {{unit}}。',
        content:
          '{{pair}} 于 {{time}} 收盘的 {{interval}} K 线收于 {{price}} {{unit}}，高于 {{average}} 的 {{from}} {{unit}}；前一根 K 线未收于均线上方。\n\n' +
          '您设置了均线上穿提醒，仅以已收盘的 K 线为准。',
      },
      'ko-KR': {
        title: '{{pair}} 종가가 {{average}} 상향 돌파({{interval}})',
        summary: '종가 {{price}} {{unit}}, 이동평균 {{from}} {{unit}}.',
        content:
          '{{time}}에 마감된 {{pair}} {{interval}} 캔들의 종가는 {{price}} {{unit}}, {{average}} 값은 {{from}} {{unit}}입니다. 직전 캔들은 이동평균 위에서 마감하지 않았습니다.\n\n' +
          '이동평균 상향 돌파 시 알리도록 설정하셨습니다. 마감된 캔들만 기준으로 합니다.',
      },
      'ja-JP': {
        title: '{{pair}}の終値が{{average}}を上抜け（{{interval}}）',
        summary: '終値{{price}} {{unit}}、移動平均{{from}} {{unit}}',
        content:
          '{{time}}に確定した{{pair}}の{{interval}}足の終値は{{price}} {{unit}}で、{{average}}の{{from}} {{unit}}を上回りました。1本前の足は移動平均線の上で確定していません。\n\n' +
          '移動平均線の上抜けで通知するよう設定されています。確定した足だけを判定します。',
      },
    },
  },
  candleCrossedDown: {
    place: 'pair',
    topic: 'alerts',
    words: {
      'en-US': {
        title: '{{pair}} closed below its {{average}} ({{interval}})',
        summary: 'Close {{price}} {{unit}}, average {{from}} {{unit}}.',
        content:
          'The {{interval}} candle of {{pair}} that closed on {{time}} ended at {{price}} {{unit}}, below its {{average}} of {{from}} {{unit}}. The candle before had not ended below it.\n\n' +
          'You asked to be notified of this crossing. Only closed candles count.',
      },
      'zh-CN': {
        title: '{{pair}} 收盘下穿 {{average}}（{{interval}}）',
        summary: '收盘价 {{price}} {{unit}}，均线 {{from}} {{unit}}。',
        content:
          '{{pair}} 于 {{time}} 收盘的 {{interval}} K 线收于 {{price}} {{unit}}，低于 {{average}} 的 {{from}} {{unit}}；前一根 K 线未收于均线下方。\n\n' +
          '您设置了均线下穿提醒，仅以已收盘的 K 线为准。',
      },
      'ko-KR': {
        title: '{{pair}} 종가가 {{average}} 하향 돌파({{interval}})',
        summary: '종가 {{price}} {{unit}}, 이동평균 {{from}} {{unit}}.',
        content:
          '{{time}}에 마감된 {{pair}} {{interval}} 캔들의 종가는 {{price}} {{unit}}, {{average}} 값은 {{from}} {{unit}}입니다. 직전 캔들은 이동평균 아래에서 마감하지 않았습니다.\n\n' +
          '이동평균 하향 돌파 시 알리도록 설정하셨습니다. 마감된 캔들만 기준으로 합니다.',
      },
      'ja-JP': {
        title: '{{pair}}の終値が{{average}}を下抜け（{{interval}}）',
        summary: '終値{{price}} {{unit}}、移動平均{{from}} {{unit}}',
        content:
          '{{time}}に確定した{{pair}}の{{interval}}足の終値は{{price}} {{unit}}で、{{average}}の{{from}} {{unit}}を下回りました。1本前の足は移動平均線の下で確定していません。\n\n' +
          '移動平均線の下抜けで通知するよう設定されています。確定した足だけを判定します。',
      },
    },
  },
  indicatorCrossedUp: {
    place: 'pair',
    topic: 'alerts',
    words: {
      'en-US': {
        title: '{{pair}}: {{subject}} crossed above {{target}} ({{interval}})',
        summary: 'Values: {{subject}} {{value}}, {{target}} {{from}}.',
        content:
          'With the {{interval}} candle of {{pair}} that closed on {{time}} at {{price}} {{unit}}, {{subject}} crossed above {{target}}: {{value}} and {{from}}. With the candle before, it had not been above.\n\n' +
          'You asked to be notified of this crossing. Only closed candles count.',
      },
      'zh-CN': {
        title: '{{pair}}：{{subject}} 上穿 {{target}}（{{interval}}）',
        summary: '{{subject}}：{{value}}，{{target}}：{{from}}。',
        content:
          '{{pair}} 于 {{time}} 收盘的 {{interval}} K 线收于 {{price}} {{unit}}，{{subject}} 上穿 {{target}}，数值分别为 {{value}} 与 {{from}}；前一根 K 线收盘时尚未高于后者。\n\n' +
          '您设置了此上穿提醒，仅以已收盘的 K 线为准。',
      },
      'ko-KR': {
        title: '{{pair}}: {{subject}} → {{target}} 상향 돌파({{interval}})',
        summary: '{{subject}}: {{value}}, {{target}}: {{from}}.',
        content:
          '{{time}}에 마감된 {{pair}} {{interval}} 캔들(종가 {{price}} {{unit}})에서 {{subject}} 값이 {{target}} 위로 올라섰습니다. 값: {{value}}, {{from}}. 직전 캔들에서는 위에 있지 않았습니다.\n\n' +
          '이 상향 돌파 시 알리도록 설정하셨습니다. 마감된 캔들만 기준으로 합니다.',
      },
      'ja-JP': {
        title: '{{pair}}：{{subject}}が{{target}}を上抜け（{{interval}}）',
        summary: '{{subject}}：{{value}}、{{target}}：{{from}}',
        content:
          '{{time}}に確定した{{pair}}の{{interval}}足（終値{{price}} {{unit}}）で、{{subject}}が{{target}}を上抜けました。値は{{value}}と{{from}}です。1本前の足では上回っていませんでした。\n\n' +
          'この上抜けで通知するよう設定されています。確定した足だけを判定します。',
      },
    },
  },
  indicatorCrossedDown: {
    place: 'pair',
    topic: 'alerts',
    words: {
      'en-US': {
        title: '{{pair}}: {{subject}} crossed below {{target}} ({{interval}})',
        summary: 'Values: {{subject}} {{value}}, {{target}} {{from}}.',
        content:
          'With the {{interval}} candle of {{pair}} that closed on {{time}} at {{price}} {{unit}}, {{subject}} crossed below {{target}}: {{value}} and {{from}}. With the candle before, it had not been below.\n\n' +
          'You asked to be notified of this crossing. Only closed candles count.',
      },
      'zh-CN': {
        title: '{{pair}}：{{subject}} 下穿 {{target}}（{{interval}}）',
        summary: '{{subject}}：{{value}}，{{target}}：{{from}}。',
        content:
          '{{pair}} 于 {{time}} 收盘的 {{interval}} K 线收于 {{price}} {{unit}}，{{subject}} 下穿 {{target}}，数值分别为 {{value}} 与 {{from}}；前一根 K 线收盘时尚未低于后者。\n\n' +
          '您设置了此下穿提醒，仅以已收盘的 K 线为准。',
      },
      'ko-KR': {
        title: '{{pair}}: {{subject}} → {{target}} 하향 돌파({{interval}})',
        summary: '{{subject}}: {{value}}, {{target}}: {{from}}.',
        content:
          '{{time}}에 마감된 {{pair}} {{interval}} 캔들(종가 {{price}} {{unit}})에서 {{subject}} 값이 {{target}} 아래로 내려갔습니다. 값: {{value}}, {{from}}. 직전 캔들에서는 아래에 있지 않았습니다.\n\n' +
          '이 하향 돌파 시 알리도록 설정하셨습니다. 마감된 캔들만 기준으로 합니다.',
      },
      'ja-JP': {
        title: '{{pair}}：{{subject}}が{{target}}を下抜け（{{interval}}）',
        summary: '{{subject}}：{{value}}、{{target}}：{{from}}',
        content:
          '{{time}}に確定した{{pair}}の{{interval}}足（終値{{price}} {{unit}}）で、{{subject}}が{{target}}を下抜けました。値は{{value}}と{{from}}です。1本前の足では下回っていませんでした。\n\n' +
          'この下抜けで通知するよう設定されています。確定した足だけを判定します。',
      },
    },
  },
  alertOrderPlaced: {
    place: 'order',
    topic: 'alerts',
    words: {
      'en-US': {
        title: 'Your alert placed an order: {{pair}}',
        summary: '{{line}}.',
        content: 'Your price alert for {{pair}} triggered, and its order was placed.\n\n{{line}}',
      },
      'zh-CN': {
        title: '提醒已触发下单：{{pair}}',
        summary: '{{line}}。',
        content: '您的 {{pair}} 价格提醒已触发，预设订单已提交。\n\n{{line}}',
      },
      'ko-KR': {
        title: '알림에 따라 주문 실행: {{pair}}',
        summary: '{{line}}.',
        content: '{{pair}} 가격 알림이 작동하여 예약한 주문을 제출했습니다.\n\n{{line}}',
      },
      'ja-JP': {
        title: 'アラートにより注文を発注：{{pair}}',
        summary: '{{line}}',
        content: '{{pair}}の価格アラートが発動し、設定していた注文を発注しました。\n\n{{line}}',
      },
    },
  },
  alertOrderRefused: {
    place: 'pair',
    topic: 'alerts',
    words: {
      'en-US': {
        title: 'Your alert could not place its order: {{pair}}',
        summary: '{{reason}}',
        content:
          'Your price alert for {{pair}} triggered, but its order was not placed and will not be tried again.\n\n{{line}}\n\n{{reason}}',
      },
      'zh-CN': {
        title: '提醒未能下单：{{pair}}',
        summary: '{{reason}}',
        content: '您的 {{pair}} 价格提醒已触发，但预设订单未能提交，且不会重试。\n\n{{line}}\n\n{{reason}}',
      },
      'ko-KR': {
        title: '알림 주문을 실행하지 못함: {{pair}}',
        summary: '{{reason}}',
        content:
          '{{pair}} 가격 알림이 작동했지만 예약한 주문을 제출하지 못했습니다. 다시 시도하지 않습니다.\n\n{{line}}\n\n{{reason}}',
      },
      'ja-JP': {
        title: 'アラートの注文を発注できませんでした：{{pair}}',
        summary: '{{reason}}',
        content:
          '{{pair}}の価格アラートが発動しましたが、設定していた注文は発注できませんでした。再試行はしません。\n\n{{line}}\n\n{{reason}}',
      },
    },
  },
});
