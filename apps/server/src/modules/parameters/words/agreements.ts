import type { Locale } from '@exchange/core/locale.ts';
import type { AgreementName } from '@exchange/wire/parameter.ts';

interface Agreement {
  /** Changes with the text: who accepted an earlier one has not accepted this. */
  readonly version: string;
  readonly text: Readonly<Record<Locale, string>>;
}

/** What people agree to before they buy; an empty line parts paragraphs. */
export const AGREEMENTS: Readonly<Record<AgreementName, Agreement>> = {
  finance: {
    version: '1',
    text: {
      'en-US': [
        'Fixed-term product agreement',
        '1. The amount that you buy for moves from your spot account into the product at once and stays locked until the order matures. Early withdrawal is not supported.',
        '2. The order earns from 00:00 UTC of the day after your purchase, for as many whole days as the product’s term, and matures at 00:00 UTC after the last of them. It earns nothing after that.',
        '3. The interest of a day is the amount multiplied by the daily rate, rounded down to 8 decimals. Interest earns no interest. The rate and all other terms are fixed for your order when you buy; later changes of the product do not apply to it.',
        '4. Depending on the product, interest is credited to your spot account every day for the day before, or all of it at maturity. The principal is credited at maturity, within five minutes, or when you withdraw the order where the product says so.',
        '5. Interest is paid by the exchange from an account that is funded in advance. Where that account is short, payment waits until it is funded. A product is not a bank deposit and is not insured by a deposit guarantee.',
        '6. Each product states where its interest comes from. By buying you confirm that you have read it and that you can do without the amount until maturity.',
      ].join('\n\n'),
      'zh-CN': [
        '定期理财产品协议',
        '1. 申购金额将立即从您的币币账户转入产品并锁定至到期，不支持提前赎回。',
        '2. 订单自申购次日 00:00 UTC 起计息，按产品期限的整日数计算，并于最后一日结束后的 00:00 UTC 到期；到期后不再计息。',
        '3. 每日收益 = 本金 × 日利率，向下保留 8 位小数，收益不计复利。日利率及其他条款在申购时锁定，产品后续调整不影响您的订单。',
        '4. 视产品而定，收益每日发放前一日部分，或到期一次性发放至您的币币账户。本金于到期后五分钟内发放；产品注明需手动提取的，由您提取时发放。',
        '5. 收益由平台从预先存入资金的收益账户支付。账户资金不足时，将在补足后支付。本产品并非银行存款，不受存款保险保障。',
        '6. 每款产品均注明收益来源。申购即表示您已阅读，并确认在到期前无需动用该笔资金。',
      ].join('\n\n'),
    },
  },
  mining: {
    version: '1',
    text: {
      'en-US': [
        'Mining product agreement',
        '1. The amount that you buy for moves from your spot account into the product at once and stays locked until the end of its cycle. Redeeming before that is not supported.',
        '2. The order earns from 00:00 UTC of the day after your purchase, for as many whole days as the product’s cycle. It earns nothing after that.',
        '3. The income of a day is the amount multiplied by the daily rate, rounded down to 8 decimals, and is credited to your spot account at 00:10 UTC of the next day. Income earns no income. The rate and all other terms are fixed for your order when you buy; later changes of the product do not apply to it.',
        '4. After its cycle the order waits to be redeemed, without limit of time. Redeeming returns the amount to your spot account at once.',
        '5. The rate is fixed and set by the operator; it does not depend on any machine or hash rate unless the product says so. Income is paid by the exchange from an account that is funded in advance. Where that account is short, payment waits until it is funded. A product is not a bank deposit and is not insured by a deposit guarantee.',
        '6. Each product states where its income comes from. By buying you confirm that you have read it and that you can do without the amount until the cycle ends.',
      ].join('\n\n'),
      'zh-CN': [
        '矿池产品协议',
        '1. 购买金额将立即从您的币币账户转入产品并锁定至周期结束，不支持提前赎回。',
        '2. 订单自购买次日 00:00 UTC 起计算收益，按产品周期的整日数计算；周期结束后不再产生收益。',
        '3. 每日收益 = 金额 × 日利率，向下保留 8 位小数，于次日 00:10 UTC 发放至您的币币账户，收益不计复利。日利率及其他条款在购买时锁定，产品后续调整不影响您的订单。',
        '4. 周期结束后订单进入待赎回状态，不限时间。赎回后本金实时返还至您的币币账户。',
        '5. 利率由平台固定设定；除产品另有说明外，与任何矿机或算力无关。收益由平台从预先存入资金的收益账户支付，账户资金不足时将在补足后支付。本产品并非银行存款，不受存款保险保障。',
        '6. 每款产品均注明收益来源。购买即表示您已阅读，并确认在周期结束前无需动用该笔资金。',
      ].join('\n\n'),
    },
  },
  seconds: {
    version: '1',
    text: {
      'en-US': [
        'Risk disclosure: seconds contract',
        '1. A seconds contract is a short position on whether the index price is above or below its entry after a fixed number of seconds. You can lose the whole stake and the fee within seconds. Most people who use products like this lose money.',
        '2. The entry price is the index at the first whole second after your position is accepted. The settlement price is the index at the expiry: of positions from 60 seconds the average of the last 3 points, from 300 seconds of the last 5. The expiry never moves, and a position cannot be closed early.',
        '3. A win pays the stake and the profit shown before you opened. A loss takes the stake. If both prices are equal, stake and fee are returned. If a point is missing or the interval is declared void, stake and fee are returned as well, and the cause is published.',
        '4. With a fair coin you lose on average; the ticket shows by how much, and how often you need to be right to break even. Past results say nothing about the next one.',
        '5. No one at the exchange can set a price or a result. Every second of the index is published on a record that is only ever added to, and you can recompute every result yourself.',
        '6. You can lower your limits per position, per day and per session at any time, or pause. Tighter limits count at once, looser ones after 24 hours. Do not use money that you need.',
      ].join('\n\n'),
      'zh-CN': [
        '秒合约风险提示',
        '1. 秒合约是判断指数价格在固定秒数后高于或低于开仓价的短期持仓。您可能在数秒内损失全部本金和手续费。使用此类产品的多数人最终亏损。',
        '2. 开仓价为受理后第一个整秒的指数价格；结算价为到期时的指数价格：60 秒及以上取最后 3 个点位的平均值，300 秒及以上取最后 5 个。到期时间绝不移动，持仓不可提前平仓。',
        '3. 判断正确，返还本金并支付开仓前显示的盈利；判断错误，损失本金。两价相等时退还本金和手续费；缺少点位或该时段被宣布无效时，同样退还本金和手续费，并公布原因。',
        '4. 若胜负各半，平均而言您会亏损；开仓前会显示平均亏损幅度及保本所需胜率。过往结果不预示下一次结果。',
        '5. 平台任何人都无法设定价格或结果。指数每一秒都记录在只增不改的公开记录上，您可以自行复算每一笔结果。',
        '6. 您可随时调低单笔、单日和单次时长上限，或暂停交易。收紧立即生效，放宽在 24 小时后生效。请勿投入您需要使用的资金。',
      ].join('\n\n'),
    },
  },
  subscription: {
    version: '1',
    text: {
      'en-US': [
        'New-coin subscription agreement',
        '1. Your commitment is frozen in your account until the allocation. Until the sale ends you can raise it, lower it or take it back.',
        '2. After the end, tokens are divided by the published formula (water-filling): in proportion to commitments, and to nobody more than the cap or than their commitment pays for. The hash of all commitments is announced before the allocation; both files are public.',
        '3. You pay for the tokens that you receive at the fixed ratio; the rest is refunded with the same booking. If the soft cap is missed, everything is refunded.',
        '4. Tokens are locked until the stated date and then released as the project’s page says. A new token may lose all of its value and may not be tradable at once.',
      ].join('\n\n'),
      'zh-CN': [
        '新币申购协议',
        '1. 认购资金将冻结于您的账户直至分配。申购结束前，您可追加、减少或撤回。',
        '2. 申购结束后按公开公式（注水法）分配：按认购比例分配，且不超过个人上限及认购金额可购数量。全部认购的哈希在分配前公布，两份文件均公开。',
        '3. 您按固定比例支付获配代币，其余资金同步退还；未达软顶则全额退款。',
        '4. 代币锁定至规定日期，之后按项目页面说明释放。新代币可能失去全部价值，且不一定立即可交易。',
      ].join('\n\n'),
    },
  },
};
