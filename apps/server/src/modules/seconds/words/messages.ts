import { declareMessages } from '../../messages/index.ts';

/** The kinds of inbox messages about seconds positions, with their links, topics and texts. */
export const secondsMessages = declareMessages({
  secondsWon: {
    place: 'seconds',
    topic: 'seconds',
    words: {
      'en-US': {
        title: 'Seconds contract result: {{pair}}',
        summary: 'Won: {{payout}} {{coin}} paid out, {{net}} {{coin}} after the fee.',
        content:
          'Your position won. {{payout}} {{coin}} was paid to your seconds account. Anyone can recompute the result from the public price record.\n\n' +
          'Pair: {{pair}} {{arrow}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nEntry price: {{entry}}\nSettlement price: {{settlement}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '秒合约结果：{{pair}}',
        summary: '盈利：返还 {{payout}} {{coin}}，扣除手续费后净盈利 {{net}} {{coin}}。',
        content:
          '您的持仓盈利，{{payout}} {{coin}} 已转入您的秒合约账户。任何人都可以根据公开价格记录重新计算该结果。\n\n' +
          '交易对：{{pair}} {{arrow}}\n期限：{{seconds}} 秒\n开仓时间：{{time}}\n开仓价：{{entry}}\n结算价：{{settlement}}\n本金：{{stake}} {{coin}}\n手续费：{{fee}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '초단기 계약 결과: {{pair}}',
        summary: '이익: {{payout}} {{coin}} 지급, 수수료를 뺀 이익은 {{net}} {{coin}}입니다.',
        content:
          '포지션이 이익으로 끝나 초단기 계약 계좌로 {{payout}} {{coin}} 지급되었습니다. 결과는 공개된 가격 기록으로 누구나 다시 계산할 수 있습니다.\n\n' +
          '페어: {{pair}} {{arrow}}\n계약 시간: {{seconds}}초\n진입 시각: {{time}}\n진입 가격: {{entry}}\n정산 가격: {{settlement}}\n금액: {{stake}} {{coin}}\n수수료: {{fee}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '秒コントラクトの結果：{{pair}}',
        summary: '勝ち：{{payout}} {{coin}}を払い戻しました。手数料を差し引いた利益は{{net}} {{coin}}です。',
        content:
          'ポジションは勝ちとなり、{{payout}} {{coin}}を秒コントラクト口座に払い戻しました。結果は、公開されている価格記録から誰でも計算し直せます。\n\n' +
          'ペア：{{pair}} {{arrow}}\n判定時間：{{seconds}}秒\n開始日時：{{time}}\nエントリー価格：{{entry}}\n決済価格：{{settlement}}\n取引金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
  secondsLost: {
    place: 'seconds',
    topic: 'seconds',
    words: {
      'en-US': {
        title: 'Seconds contract result: {{pair}}',
        summary: 'Lost: stake and fee, {{net}} {{coin}} in all.',
        content:
          'Your position lost: {{net}} {{coin}} including the fee. Anyone can recompute the result from the public price record.\n\n' +
          'Pair: {{pair}} {{arrow}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nEntry price: {{entry}}\nSettlement price: {{settlement}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '秒合约结果：{{pair}}',
        summary: '亏损：本金和手续费共 {{net}} {{coin}}。',
        content:
          '您的持仓亏损，连同手续费共 {{net}} {{coin}}。任何人都可以根据公开价格记录重新计算该结果。\n\n' +
          '交易对：{{pair}} {{arrow}}\n期限：{{seconds}} 秒\n开仓时间：{{time}}\n开仓价：{{entry}}\n结算价：{{settlement}}\n本金：{{stake}} {{coin}}\n手续费：{{fee}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '초단기 계약 결과: {{pair}}',
        summary: '손실: 금액과 수수료를 합해 {{net}} {{coin}}입니다.',
        content:
          '포지션이 손실로 끝났습니다. 손실은 수수료를 포함해 {{net}} {{coin}}입니다. 결과는 공개된 가격 기록으로 누구나 다시 계산할 수 있습니다.\n\n' +
          '페어: {{pair}} {{arrow}}\n계약 시간: {{seconds}}초\n진입 시각: {{time}}\n진입 가격: {{entry}}\n정산 가격: {{settlement}}\n금액: {{stake}} {{coin}}\n수수료: {{fee}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '秒コントラクトの結果：{{pair}}',
        summary: '負け：取引金額と手数料の合計は{{net}} {{coin}}です。',
        content:
          'ポジションは負けとなりました。損失は手数料を含めて{{net}} {{coin}}です。結果は、公開されている価格記録から誰でも計算し直せます。\n\n' +
          'ペア：{{pair}} {{arrow}}\n判定時間：{{seconds}}秒\n開始日時：{{time}}\nエントリー価格：{{entry}}\n決済価格：{{settlement}}\n取引金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
  secondsDrawn: {
    place: 'seconds',
    topic: 'seconds',
    words: {
      'en-US': {
        title: 'Seconds contract result: {{pair}}',
        summary: 'Draw: {{amount}} {{coin}} is back in your seconds account.',
        content:
          'Entry and settlement price are the same, so your stake and fee were returned. Anyone can recompute the result from the public price record.\n\n' +
          'Pair: {{pair}} {{arrow}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nEntry price: {{entry}}\nSettlement price: {{settlement}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '秒合约结果：{{pair}}',
        summary: '平局：{{amount}} {{coin}} 已退回您的秒合约账户。',
        content:
          '开仓价与结算价相同，本金和手续费已全额退回。任何人都可以根据公开价格记录重新计算该结果。\n\n' +
          '交易对：{{pair}} {{arrow}}\n期限：{{seconds}} 秒\n开仓时间：{{time}}\n开仓价：{{entry}}\n结算价：{{settlement}}\n本金：{{stake}} {{coin}}\n手续费：{{fee}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '초단기 계약 결과: {{pair}}',
        summary: '무승부: 초단기 계약 계좌로 {{amount}} {{coin}} 반환되었습니다.',
        content:
          '진입 가격과 정산 가격이 같아 금액과 수수료가 반환되었습니다. 결과는 공개된 가격 기록으로 누구나 다시 계산할 수 있습니다.\n\n' +
          '페어: {{pair}} {{arrow}}\n계약 시간: {{seconds}}초\n진입 시각: {{time}}\n진입 가격: {{entry}}\n정산 가격: {{settlement}}\n금액: {{stake}} {{coin}}\n수수료: {{fee}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '秒コントラクトの結果：{{pair}}',
        summary: '引き分け：{{amount}} {{coin}}を秒コントラクト口座に返金しました。',
        content:
          'エントリー価格と決済価格が同じだったため、取引金額と手数料を返金しました。結果は、公開されている価格記録から誰でも計算し直せます。\n\n' +
          'ペア：{{pair}} {{arrow}}\n判定時間：{{seconds}}秒\n開始日時：{{time}}\nエントリー価格：{{entry}}\n決済価格：{{settlement}}\n取引金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
  secondsNoPrice: {
    place: 'seconds',
    topic: 'products',
    push: 'seconds',
    words: {
      'en-US': {
        title: 'Seconds contract: position returned',
        summary: '{{amount}} {{coin}} is back in your seconds account.',
        content:
          'Your position has no result, because the index has no price at its entry or its expiry. Your stake and fee were returned in full.\n\n' +
          'Pair: {{pair}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '秒合约：本金和手续费已退回',
        summary: '{{amount}} {{coin}} 已退回您的秒合约账户。',
        content:
          '由于开仓或到期时没有指数价格，您的持仓没有结果，本金和手续费已全额退回。\n\n' +
          '交易对：{{pair}}\n期限：{{seconds}} 秒\n开仓时间：{{time}}\n本金：{{stake}} {{coin}}\n手续费：{{fee}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '초단기 계약: 금액과 수수료 반환',
        summary: '초단기 계약 계좌로 {{amount}} {{coin}} 반환되었습니다.',
        content:
          '진입 또는 만료 시점의 지수 가격이 없어 포지션의 결과를 정할 수 없었습니다. 금액과 수수료는 전액 반환되었습니다.\n\n' +
          '페어: {{pair}}\n계약 시간: {{seconds}}초\n진입 시각: {{time}}\n금액: {{stake}} {{coin}}\n수수료: {{fee}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '秒コントラクト：取引金額と手数料の返金',
        summary: '{{amount}} {{coin}}を秒コントラクト口座に返金しました。',
        content:
          'エントリー時または満期時のインデックス価格がないため、ポジションの結果を判定できませんでした。取引金額と手数料は全額返金しました。\n\n' +
          'ペア：{{pair}}\n判定時間：{{seconds}}秒\n開始日時：{{time}}\n取引金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
  secondsIntervalVoid: {
    place: 'seconds',
    topic: 'products',
    push: 'seconds',
    words: {
      'en-US': {
        title: 'Seconds contract: position returned',
        summary: '{{amount}} {{coin}} is back in your seconds account.',
        content:
          'Your position has no result, because the period it depends on was declared void. Your stake and fee were returned in full. The declaration and its reason are published on the proof pages.\n\n' +
          'Pair: {{pair}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '秒合约：本金和手续费已退回',
        summary: '{{amount}} {{coin}} 已退回您的秒合约账户。',
        content:
          '由于持仓所涉及的时段被宣布无效，您的持仓没有结果，本金和手续费已全额退回。该声明及其原因已在验证页面公开。\n\n' +
          '交易对：{{pair}}\n期限：{{seconds}} 秒\n开仓时间：{{time}}\n本金：{{stake}} {{coin}}\n手续费：{{fee}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '초단기 계약: 금액과 수수료 반환',
        summary: '초단기 계약 계좌로 {{amount}} {{coin}} 반환되었습니다.',
        content:
          '포지션이 속한 구간이 무효 처리되어 결과를 정할 수 없었습니다. 금액과 수수료는 전액 반환되었습니다. 무효 처리 내역과 사유는 검증 페이지에 공개되어 있습니다.\n\n' +
          '페어: {{pair}}\n계약 시간: {{seconds}}초\n진입 시각: {{time}}\n금액: {{stake}} {{coin}}\n수수료: {{fee}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '秒コントラクト：取引金額と手数料の返金',
        summary: '{{amount}} {{coin}}を秒コントラクト口座に返金しました。',
        content:
          'ポジションに関わる区間が無効とされたため、結果を判定できませんでした。取引金額と手数料は全額返金しました。無効とした旨とその理由は、検証ページで公開しています。\n\n' +
          'ペア：{{pair}}\n判定時間：{{seconds}}秒\n開始日時：{{time}}\n取引金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
  secondsRefunded: {
    place: 'seconds',
    topic: 'products',
    push: 'seconds',
    words: {
      'en-US': {
        title: 'Seconds contract: loss refunded',
        summary: '{{amount}} {{coin}} is back in your seconds account.',
        content:
          'The period your position was settled in was declared void after its settlement. Your stake and fee were refunded in full. The declaration and its reason are published on the proof pages.\n\n' +
          'Pair: {{pair}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
      },
      'zh-CN': {
        title: '秒合约：亏损已退还',
        summary: '{{amount}} {{coin}} 已退回您的秒合约账户。',
        content:
          '您的持仓结算后，其所依据的时段被宣布无效。本金和手续费已全额退还。该声明及其原因已在验证页面公开。\n\n' +
          '交易对：{{pair}}\n期限：{{seconds}} 秒\n开仓时间：{{time}}\n本金：{{stake}} {{coin}}\n手续费：{{fee}} {{coin}}\n持仓编号：{{order}}',
      },
      'ko-KR': {
        title: '초단기 계약: 손실 금액 환불',
        summary: '초단기 계약 계좌로 {{amount}} {{coin}} 환불되었습니다.',
        content:
          '포지션이 정산된 뒤 해당 구간이 무효 처리되었습니다. 금액과 수수료는 전액 환불되었습니다. 무효 처리 내역과 사유는 검증 페이지에 공개되어 있습니다.\n\n' +
          '페어: {{pair}}\n계약 시간: {{seconds}}초\n진입 시각: {{time}}\n금액: {{stake}} {{coin}}\n수수료: {{fee}} {{coin}}\n포지션 번호: {{order}}',
      },
      'ja-JP': {
        title: '秒コントラクト：損失分の返金',
        summary: '{{amount}} {{coin}}を秒コントラクト口座に返金しました。',
        content:
          'ポジションの判定後に、判定に使われた区間が無効とされました。取引金額と手数料は全額返金しました。無効とした旨とその理由は、検証ページで公開しています。\n\n' +
          'ペア：{{pair}}\n判定時間：{{seconds}}秒\n開始日時：{{time}}\n取引金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
      },
    },
  },
});
