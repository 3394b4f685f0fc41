import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { Locale } from '@exchange/core/locale.ts';
import type { AgreementName } from '@exchange/wire/parameter.ts';
import { privacyPolicy as privacyEnUS, userAgreement as userEnUS } from './account/en-US.ts';
import { privacyPolicy as privacyJaJP, userAgreement as userJaJP } from './account/ja-JP.ts';
import { privacyPolicy as privacyKoKR, userAgreement as userKoKR } from './account/ko-KR.ts';
import { privacyPolicy as privacyZhCN, userAgreement as userZhCN } from './account/zh-CN.ts';

export interface Agreement {
  /**
   * Version of the text; each change of the text gets a new version. A user who accepted an earlier version has not
   * accepted this one.
   */
  readonly version: string;
  /** First day on which this version applies, e.g. `2026-01-31`; only for agreements accepted at registration. */
  readonly effectiveDate?: string;
  readonly text: Readonly<Record<Locale, string>>;
}

/**
 * The user agreement, accepted at registration. Lines starting with `# ` are headings, with `- `
 * list items.
 */
const USER_AGREEMENT: Agreement = {
  version: AGREEMENT_VERSIONS.user,
  effectiveDate: '2026-11-25',
  text: {
    'en-US': userEnUS.join('\n\n'),
    'zh-CN': userZhCN.join('\n\n'),
    'ko-KR': userKoKR.join('\n\n'),
    'ja-JP': userJaJP.join('\n\n'),
  },
};

/** Privacy policy, accepted together with the user agreement. */
const PRIVACY_POLICY: Agreement = {
  version: AGREEMENT_VERSIONS.privacy,
  effectiveDate: '2026-11-25',
  text: {
    'en-US': privacyEnUS.join('\n\n'),
    'zh-CN': privacyZhCN.join('\n\n'),
    'ko-KR': privacyKoKR.join('\n\n'),
    'ja-JP': privacyJaJP.join('\n\n'),
  },
};

/** Agreements accepted at registration or before a purchase. Paragraphs are separated by an empty line. */
export const AGREEMENTS: Readonly<Record<AgreementName, Agreement>> = {
  user: USER_AGREEMENT,
  privacy: PRIVACY_POLICY,
  finance: {
    version: AGREEMENT_VERSIONS.finance,
    text: {
      'en-US': [
        'Fixed-term product agreement',
        '1. The purchase amount is moved from your spot account into the product immediately and remains locked until the order matures. Early withdrawal is not supported.',
        '2. The order earns interest from 00:00 UTC on the day after your purchase for each whole day of the product’s term, and matures at 00:00 UTC after the last of those days. It earns no interest after that.',
        '3. Interest for each day equals the amount multiplied by the daily rate, rounded down to 8 decimals. Interest is not compounded. The rate and all other terms of your order are fixed when you buy. Later changes to the product do not apply to it.',
        '4. Depending on the product, interest is credited to your spot account either daily for the previous day or in full at maturity. Your principal is credited within five minutes of maturity or, if the product says so, when you withdraw the order.',
        '5. The exchange pays interest from an account that is funded in advance. If that account is short of funds, payment is delayed until it has been funded. The product is not a bank deposit and is not covered by deposit insurance.',
        '6. Each product states where its interest comes from. By buying, you confirm that you have read that statement and that you will not need the amount before maturity.',
      ].join('\n\n'),
      'zh-CN': [
        '定期理财产品协议',
        '1. 购买金额将立即从您的现货账户转入产品并锁定至到期，不支持提前赎回。',
        '2. 订单自购买次日 00:00 UTC 起计息，按产品期限的整日数计算，并于最后一日结束后的 00:00 UTC 到期；到期后不再计息。',
        '3. 每日收益 = 本金 × 日利率，向下保留 8 位小数，收益不计复利。日利率及其他条款在购买时锁定，产品后续调整不影响您的订单。',
        '4. 视产品而定，收益每日发放前一日部分，或到期一次性发放至您的现货账户。本金于到期后五分钟内发放；产品注明需手动提取的，由您提取时发放。',
        '5. 收益由平台从预先存入资金的收益账户支付。账户资金不足时，将在补足后支付。本产品并非银行存款，不受存款保险保障。',
        '6. 每款产品均注明收益来源。购买即表示您已阅读，并确认在到期前无需动用该笔资金。',
      ].join('\n\n'),
      'ko-KR': [
        '정기 예치 상품 약관',
        '1. 구매 금액은 즉시 현물 계좌에서 상품으로 이동하며 만기까지 예치됩니다. 중도 해지는 지원하지 않습니다.',
        '2. 주문은 구매 다음 날 00:00 UTC부터 상품 기간의 전체 일수 동안 이자가 발생하며, 마지막 날이 끝난 00:00 UTC에 만기가 됩니다. 이후에는 이자가 발생하지 않습니다.',
        '3. 일 이자는 금액에 일 이율을 곱하고 소수점 8자리 미만을 버린 값입니다. 이자에는 이자가 붙지 않습니다. 이율과 그 밖의 조건은 구매 시점에 확정되며, 이후의 상품 변경은 해당 주문에 적용되지 않습니다.',
        '4. 상품에 따라 이자는 매일 전날분이 현물 계좌로 지급되거나 만기에 일괄 지급됩니다. 원금은 만기 후 5분 이내에 지급되며, 상품에 직접 수령하도록 표시된 경우에는 수령 시 지급됩니다.',
        '5. 이자는 거래소가 사전에 적립한 계좌에서 지급합니다. 계좌 잔액이 부족하면 충당될 때까지 지급이 보류됩니다. 이 상품은 은행 예금이 아니며 예금자 보호 대상이 아닙니다.',
        '6. 각 상품에는 이자의 원천이 표시됩니다. 구매 시 이를 읽었으며 만기까지 해당 금액이 없어도 됨을 확인한 것으로 간주합니다.',
      ].join('\n\n'),
      'ja-JP': [
        '定期運用商品規約',
        '1. 購入金額は直ちに現物口座から商品へ移り、満期までロックされます。中途解約はできません。',
        '2. 注文には、購入日の翌日00:00 UTCから、商品の期間の日数分の利息が付きます。最終日が終わる00:00 UTCに満期を迎え、以後、利息は付きません。',
        '3. 1日の利息は、金額に日利を乗じ、小数点以下8桁未満を切り捨てた額です。利息に利息は付きません。利率その他の条件は購入時に確定し、その後の商品の変更は適用されません。',
        '4. 商品により、利息は毎日前日分が、または満期に一括で現物口座に入金されます。元本は満期後5分以内に、商品にご自身での受け取りと記載がある場合は受け取り時に入金されます。',
        '5. 利息は、当取引所があらかじめ資金を積み立てた口座から支払います。口座の資金が不足する場合、補充されるまで支払いを保留します。本商品は銀行預金ではなく、預金保険の対象ではありません。',
        '6. 各商品には利息の源泉を記載しています。購入された場合、お客様は、これを読んだこと、および満期まで当該資金を必要としないことを確認したものとみなします。',
      ].join('\n\n'),
    },
  },
  mining: {
    version: AGREEMENT_VERSIONS.mining,
    text: {
      'en-US': [
        'Mining product agreement',
        '1. The purchase amount is moved from your spot account into the product immediately and remains locked until the end of the cycle. Early redemption is not supported.',
        '2. The order earns income from 00:00 UTC on the day after your purchase for each whole day of the product’s cycle. It earns no income after that.',
        '3. Income for each day equals the amount multiplied by the daily rate, rounded down to 8 decimals, and is credited to your spot account at 00:10 UTC on the following day. Income is not compounded. The rate and all other terms of your order are fixed when you buy. Later changes to the product do not apply to it.',
        '4. After the cycle ends, you can redeem the order at any time, without a deadline. Redeeming returns the amount to your spot account immediately.',
        '5. The rate is fixed and set by the operator. It does not depend on any machine or hash rate unless the product says so. The exchange pays income from an account that is funded in advance. If that account is short of funds, payment is delayed until it has been funded. The product is not a bank deposit and is not covered by deposit insurance.',
        '6. Each product states where its income comes from. By buying, you confirm that you have read that statement and that you will not need the amount before the cycle ends.',
      ].join('\n\n'),
      'zh-CN': [
        '矿池产品协议',
        '1. 购买金额将立即从您的现货账户转入产品并锁定至周期结束，不支持提前赎回。',
        '2. 订单自购买次日 00:00 UTC 起计算收益，按产品周期的整日数计算；周期结束后不再产生收益。',
        '3. 每日收益 = 金额 × 日利率，向下保留 8 位小数，于次日 00:10 UTC 发放至您的现货账户，收益不计复利。日利率及其他条款在购买时锁定，产品后续调整不影响您的订单。',
        '4. 周期结束后订单进入待赎回状态，不限时间。赎回后本金实时返还至您的现货账户。',
        '5. 利率由平台固定设定；除产品另有说明外，与任何矿机或算力无关。收益由平台从预先存入资金的收益账户支付，账户资金不足时将在补足后支付。本产品并非银行存款，不受存款保险保障。',
        '6. 每款产品均注明收益来源。购买即表示您已阅读，并确认在周期结束前无需动用该笔资金。',
      ].join('\n\n'),
      'ko-KR': [
        '채굴 상품 약관',
        '1. 구매 금액은 즉시 현물 계좌에서 상품으로 이동하며 주기가 끝날 때까지 예치됩니다. 그 전에는 상환할 수 없습니다.',
        '2. 주문은 구매 다음 날 00:00 UTC부터 상품 주기의 전체 일수 동안 수익이 발생합니다. 이후에는 수익이 발생하지 않습니다.',
        '3. 일 수익은 금액에 일 수익률을 곱하고 소수점 8자리 미만을 버린 값이며, 다음 날 00:10 UTC에 현물 계좌로 지급됩니다. 수익은 재투자되지 않습니다. 수익률과 그 밖의 조건은 구매 시점에 확정되며, 이후의 상품 변경은 해당 주문에 적용되지 않습니다.',
        '4. 주기가 끝난 주문은 기한 없이 상환을 기다립니다. 상환하면 금액이 즉시 현물 계좌로 반환됩니다.',
        '5. 수익률은 운영자가 정한 고정 수익률이며, 상품에 별도 표시가 없는 한 채굴기나 해시레이트와 관련이 없습니다. 수익은 거래소가 사전에 적립한 계좌에서 지급하며, 잔액이 부족하면 충당될 때까지 지급이 보류됩니다. 이 상품은 은행 예금이 아니며 예금자 보호 대상이 아닙니다.',
        '6. 각 상품에는 수익의 원천이 표시됩니다. 구매 시 이를 읽었으며 주기가 끝날 때까지 해당 금액이 없어도 됨을 확인한 것으로 간주합니다.',
      ].join('\n\n'),
      'ja-JP': [
        'マイニング商品規約',
        '1. 購入金額は直ちに現物口座から商品へ移り、サイクル終了までロックされます。それより前の償還はできません。',
        '2. 注文からは、購入日の翌日00:00 UTCから、商品のサイクルの日数分の収益が発生します。以後、収益は発生しません。',
        '3. 1日の収益は、金額に日利を乗じ、小数点以下8桁未満を切り捨てた額で、翌日00:10 UTCに現物口座へ入金されます。収益に収益は付きません。利率その他の条件は購入時に確定し、その後の商品の変更は適用されません。',
        '4. サイクル終了後は、期限なくいつでも償還できます。償還すると、金額は直ちに現物口座に戻ります。',
        '5. 利率は運営者が定める固定のもので、商品に別段の記載がない限り、マシンやハッシュレートとは関係ありません。収益は、当取引所があらかじめ資金を積み立てた口座から支払います。資金が不足する場合、補充されるまで支払いを保留します。本商品は銀行預金ではなく、預金保険の対象ではありません。',
        '6. 各商品には収益の源泉を記載しています。購入された場合、お客様は、これを読んだこと、およびサイクル終了まで当該資金を必要としないことを確認したものとみなします。',
      ].join('\n\n'),
    },
  },
  seconds: {
    version: AGREEMENT_VERSIONS.seconds,
    text: {
      'en-US': [
        'Risk disclosure: seconds contract',
        '1. A seconds contract is a short-lived position on whether the index price will be above or below its entry price after a fixed number of seconds. You can lose your whole stake and the fee within seconds. Most people who use products like this lose money.',
        '2. The entry price is the index price at the first whole second after your position is accepted. The settlement price is the index price at expiry; for positions of 60 seconds or more it is the average of the last 3 points, and for 300 seconds or more of the last 5. The expiry never moves, and a position cannot be closed early.',
        '3. A win returns your stake and pays the profit shown before you opened the position. A loss costs you the stake. If both prices are equal, your stake and fee are returned. If a point is missing or the interval is declared void, your stake and fee are also returned, and the cause is published.',
        '4. At even odds, you lose on average. The order form shows how much, and how often you need to be right to break even. Past results say nothing about the next one.',
        '5. No one at the exchange can set a price or a result. Every second of the index is published in a public price record that can only be added to, and you can recompute every result yourself.',
        '6. You can lower your limits per position, per day, and per session at any time, or take a pause. Tighter limits apply immediately, looser ones after 24 hours. Do not use money you need.',
      ].join('\n\n'),
      'zh-CN': [
        '秒合约风险提示',
        '1. 秒合约是判断指数价格在固定秒数后高于或低于开仓价的短期持仓。您可能在数秒内损失全部本金和手续费。使用此类产品的多数人最终亏损。',
        '2. 开仓价为受理后第一个整秒的指数价格；结算价为到期时的指数价格：60 秒及以上取最后 3 个点位的平均值，300 秒及以上取最后 5 个。到期时间绝不变动，持仓不可提前平仓。',
        '3. 判断正确，返还本金并支付开仓前所显示的盈利；判断错误，损失本金。两价相等时退还本金和手续费；缺少点位或该时段被宣布无效时，同样退还本金和手续费，并公布原因。',
        '4. 若胜负各半，平均而言您会亏损；开仓前会显示平均亏损幅度及保本所需胜率。过往结果不预示下一次结果。',
        '5. 平台任何人都无法设定价格或结果。每一秒的指数都写入只增不改的公开价格记录，您可以自行复算每一笔结果。',
        '6. 您可随时调低单笔、单日和单次时长上限，或暂停交易。收紧立即生效，放宽在 24 小时后生效。请勿投入您需要使用的资金。',
      ].join('\n\n'),
      'ko-KR': [
        '위험 고지: 초단기 계약',
        '1. 초단기 계약은 정해진 초가 지난 뒤 지수 가격이 진입 가격보다 높은지 낮은지를 판단하는 단기 포지션입니다. 몇 초 안에 금액 전부와 수수료를 잃을 수 있습니다. 이런 상품을 이용하는 사람 대부분은 손실을 봅니다.',
        '2. 진입 가격은 포지션 접수 후 첫 정각 초의 지수 가격입니다. 정산 가격은 만료 시점의 지수 가격이며, 60초 이상은 마지막 3개, 300초 이상은 마지막 5개 지점의 평균입니다. 만료 시점은 바뀌지 않으며, 포지션을 중도에 종료할 수 없습니다.',
        '3. 적중하면 금액과 진입 전에 표시된 이익을 지급합니다. 틀리면 금액을 잃습니다. 두 가격이 같으면 금액과 수수료를 반환합니다. 지점이 누락되었거나 해당 구간이 무효로 선언된 경우에도 금액과 수수료를 반환하고 원인을 공개합니다.',
        '4. 확률이 반반이라면 평균적으로 손실을 봅니다. 주문창에 그 크기와 손익분기에 필요한 승률이 표시됩니다. 과거 결과는 다음 결과를 말해 주지 않습니다.',
        '5. 거래소의 누구도 가격이나 결과를 정할 수 없습니다. 지수의 매초 값은 추가만 가능한 기록에 공개되며, 모든 결과를 직접 다시 계산할 수 있습니다.',
        '6. 포지션당, 일일, 이용 시간 한도를 언제든지 낮추거나 일시 중지할 수 있습니다. 한도를 줄이면 즉시, 늘리면 24시간 후 적용됩니다. 필요한 돈은 사용하지 마세요.',
      ].join('\n\n'),
      'ja-JP': [
        '秒コントラクトのリスク説明',
        '1. 秒コントラクトは、一定の秒数の経過後にインデックス価格がエントリー価格より上か下かを判定する短期のポジションです。数秒のうちに、取引金額の全額と手数料を失うことがあります。このような商品を利用する方の多くが損失を被っています。',
        '2. エントリー価格は、ポジション受付後最初の正秒のインデックス価格です。決済価格は満期時のインデックス価格で、判定時間が60秒以上では最後の3点、300秒以上では最後の5点の平均です。満期が変わることはなく、途中で決済することはできません。',
        '3. 的中すると、取引金額と、ポジションを建てる前に表示された利益が支払われます。外れると、取引金額を失います。両方の価格が等しい場合は、取引金額と手数料を返金します。価格が欠けている場合や区間が無効とされた場合も、取引金額と手数料を返金し、原因を公表します。',
        '4. 確率が五分五分の場合、平均すると損失になります。その大きさと損益分岐の勝率は、注文欄に表示します。過去の結果は次の結果を示すものではありません。',
        '5. 当取引所の誰も、価格や結果を決めることはできません。インデックスの毎秒の値は追記のみの記録として公開され、すべての結果をご自身で再計算できます。',
        '6. 1ポジション、1日、1回の利用時間の制限は、いつでも厳しくできます。一時停止もできます。厳しくする変更は直ちに、緩める変更は24時間後に適用されます。生活に必要な資金は使わないでください。',
      ].join('\n\n'),
    },
  },
  subscription: {
    version: AGREEMENT_VERSIONS.subscription,
    text: {
      'en-US': [
        'Launchpad subscription agreement',
        '1. Your commitment is placed on hold in your account until the allocation. Until the sale ends, you can raise it, lower it, or take it back.',
        '2. After the sale ends, tokens are allocated by the published formula (water-filling): in proportion to commitments, with no one receiving more than the cap or more than their commitment pays for. The hash of all commitments is announced before the allocation. Both files are public.',
        '3. You pay for the tokens you receive at the fixed ratio, and the rest is refunded in the same step. If the soft cap is not reached, every commitment is refunded in full.',
        '4. Tokens are locked until the stated date and then released as described on the project’s page. A new token may lose all of its value and may not be tradable right away.',
      ].join('\n\n'),
      'zh-CN': [
        '新币申购协议',
        '1. 认购资金将冻结于您的账户直至分配。申购结束前，您可追加、减少或撤回。',
        '2. 申购结束后按公开公式（注水法）分配：按认购比例分配，且不超过个人上限及认购金额可购数量。全部认购的哈希在分配前公布，两份文件均对外公开。',
        '3. 您按固定比例支付获配代币，其余资金同步退还；未达软顶则全额退还。',
        '4. 代币锁定至规定日期，之后按项目页面说明释放。新代币可能失去全部价值，且不一定能立即交易。',
      ].join('\n\n'),
      'ko-KR': [
        '신규 코인 청약 약관',
        '1. 청약 금액은 배정될 때까지 계좌에서 동결됩니다. 청약이 끝나기 전까지 추가, 축소, 철회할 수 있습니다.',
        '2. 청약이 끝나면 공개된 공식(워터필링)으로 토큰을 배정합니다. 청약 금액에 비례하며, 누구도 1인 한도나 청약 금액으로 살 수 있는 수량을 넘지 않습니다. 전체 청약의 해시는 배정 전에 공개되며, 두 파일 모두 공개됩니다.',
        '3. 받은 토큰은 고정 비율로 지불하고, 나머지는 같은 처리에서 환불됩니다. 소프트캡에 미달하면 전액 환불됩니다.',
        '4. 토큰은 명시된 날짜까지 락업되며, 이후 프로젝트 페이지에 안내된 대로 해제됩니다. 신규 토큰은 가치를 모두 잃을 수 있으며 즉시 거래하지 못할 수 있습니다.',
      ].join('\n\n'),
      'ja-JP': [
        '新規コイン申込規約',
        '1. 申込額は、配分までアカウント内で拘束されます。申込期間の終了まで、増額、減額、取消ができます。',
        '2. 申込終了後、公開された計算式（ウォーターフィリング方式）でトークンを配分します。配分は申込額に比例し、1人あたりの上限と、申込額で購入できる数量を超えません。すべての申込のハッシュは配分前に公表し、両方のファイルを公開します。',
        '3. 受け取るトークンの代金を固定比率で支払い、残りは同じ処理で返金されます。ソフトキャップに達しない場合は全額返金されます。',
        '4. トークンは記載の日までロックされ、以後はプロジェクトのページの記載に従って解除されます。新規トークンは価値がすべて失われることがあり、すぐに取引できるとは限りません。',
      ].join('\n\n'),
    },
  },
};
