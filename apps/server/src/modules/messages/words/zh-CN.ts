import type { MessageWords, OwnMessageKind } from '../domain.ts';

export const zhCN: Readonly<Record<OwnMessageKind, MessageWords>> = {
  welcome: {
    title: '欢迎来到 Amethyst',
    summary: '您的账户已开通，三步即可让它更安全。',
    content:
      '您的账户已开通。\n\n' +
      '请设置资金密码：资金变动时需要输入。\n\n' +
      '首次提币前请完成身份认证。\n\n' +
      '我们绝不会通过邮件、电话或聊天索要您的密码或验证码。',
  },
  agreementsChanged: {
    title: '用户协议与隐私政策已更新',
    summary: '用户协议版本 {{terms}} 与隐私政策版本 {{privacy}} 已生效。',
    content:
      '适用于您账户的文本已更新：用户协议版本 {{terms}} 与隐私政策版本 {{privacy}} 现已生效。\n\n' +
      '您可在“关于我们”中阅读。您已持有的产品仍适用购买时的条款。如不同意变更，您可以注销账户。\n\n' +
      '继续使用账户无需任何操作。',
  },
  newDevice: {
    title: '新设备登录',
    summary: '{{device}}，{{address}}',
    content:
      '您的账户在一台新设备上登录。\n\n' +
      '设备：{{device}}\nIP 地址：{{address}}\n时间：{{time}}\n\n' +
      '如果不是您本人操作，请立即修改密码：其他登录会随之全部失效。',
  },
  newNetwork: {
    title: '新网络登录',
    summary: '{{device}}，{{address}}',
    content:
      '您的账户从一个新的网络登录，所用设备此前使用过。\n\n' +
      '设备：{{device}}\nIP 地址：{{address}}\n时间：{{time}}\n\n' +
      '如果不是您本人操作，请立即修改密码：其他登录会随之全部失效。',
  },
  newDeviceAndNetwork: {
    title: '新设备登录',
    summary: '{{device}}，{{address}}',
    content:
      '您的账户在一台新设备上、从一个新的网络登录。\n\n' +
      '设备：{{device}}\nIP 地址：{{address}}\n时间：{{time}}\n\n' +
      '如果不是您本人操作，请立即修改密码：其他登录会随之全部失效。',
  },
  passwordChanged: {
    title: '登录密码已修改',
    summary: '其他登录已失效，{{until}} 前暂停提币。',
    content:
      '您的登录密码已于 {{time}} 修改。其他登录已全部失效，{{until}} 前暂停提币。\n\n' +
      '如果不是您本人操作，请立即重置密码并联系客服。',
  },
  passwordReset: {
    title: '登录密码已重置',
    summary: '所有登录均已失效，{{until}} 前暂停提币。',
    content:
      '您的登录密码已于 {{time}} 通过邮箱验证码重置。所有登录均已失效，{{until}} 前暂停提币。\n\n' +
      '如果不是您本人操作，请先保护好您的邮箱，再次重置密码并联系客服。',
  },
  passwordResetWithPasskeys: {
    title: '登录密码已重置',
    summary: '请检查通行密钥；{{until}} 前暂停提币。',
    content:
      '您的登录密码已于 {{time}} 通过邮箱验证码重置。所有登录均已失效，{{until}} 前暂停提币。\n\n' +
      '以下通行密钥仍可登录您的账户：\n{{passkeys}}\n如有您不认识的通行密钥，请在安全中心将其移除。\n\n' +
      '如果不是您本人操作，请先保护好您的邮箱，再次重置密码并联系客服。',
  },
  tradePasswordSet: {
    title: '资金密码已设置',
    summary: '资金变动时需要输入。',
    content: '您的账户已于 {{time}} 设置资金密码。\n\n如果不是您本人操作，请立即修改登录密码并联系客服。',
  },
  tradePasswordChanged: {
    title: '资金密码已修改',
    summary: '24 小时内暂停提币。',
    content:
      '您的资金密码已于 {{time}} 修改，24 小时内暂停提币。\n\n如果不是您本人操作，请立即修改登录密码并联系客服。',
  },
  tradePasswordLocked: {
    title: '资金密码已锁定',
    summary: '资金密码多次输入错误。',
    content:
      '您的资金密码多次输入错误，已锁定 24 小时。如需提前解锁，请在“安全中心”选择“忘记资金密码”，使用登录密码和邮箱验证码重置。\n\n' +
      '如果不是您本人操作，请立即修改登录密码。',
  },
  accountFrozen: {
    title: '账户已冻结',
    summary: '如需解冻，请联系客服。',
    content:
      '您的账户已于 {{time}} 冻结，所有登录会话均已结束，无法交易、购买或提币。\n\n如需解冻或有疑问，请在“帮助与联系”中联系客服，无需登录。',
  },
  authenticatorBound: {
    title: '已绑定身份验证器',
    summary: '今后登录和资金操作都需要输入其验证码。',
    content:
      '您的账户已于 {{time}} 绑定身份验证器。今后登录和资金操作都需要输入其验证码。\n\n' +
      '请妥善保管恢复码：每个恢复码可代替身份验证器使用一次。\n\n' +
      '如果不是您本人操作，请立即冻结账户并联系客服。',
  },
  authenticatorRemoved: {
    title: '已解绑身份验证器',
    summary: '24 小时内暂停提币。',
    content:
      '您的账户已于 {{time}} 解绑身份验证器，24 小时内暂停提币。\n\n' +
      '如果不是您本人操作，请立即冻结账户并联系客服。',
  },
  recoveryCodeUsed: {
    title: '已使用恢复码',
    summary: '该恢复码已代替身份验证器使用，不可再次使用。',
    content:
      '您的账户于 {{time}} 使用了一个恢复码代替身份验证器，该恢复码已失效。\n\n' +
      '如果不是您本人操作，请立即冻结账户并联系客服。',
  },
  recoveryCodesRenewed: {
    title: '恢复码已更新',
    summary: '旧恢复码已全部失效。',
    content:
      '您的账户已于 {{time}} 生成新的恢复码，旧恢复码全部失效。\n\n' +
      '如果不是您本人操作，请立即冻结账户并联系客服。',
  },
  emailChanged: {
    title: '邮箱已更换',
    summary: '24 小时内暂停提币。',
    content:
      '您账户的邮箱已于 {{time}} 更换。其他登录已全部失效，24 小时内暂停提币。\n\n' +
      '如果不是您本人操作，请立即冻结账户并联系客服。',
  },
  passkeyAdded: {
    title: '已添加通行密钥',
    summary: '可用于登录，24 小时内暂停提币。',
    content:
      '您的账户已于 {{time}} 添加通行密钥“{{name}}”，可用于登录和确认操作。24 小时内暂停提币。\n\n' +
      '如果不是您本人操作，请立即冻结账户并联系客服。',
  },
  passkeyRemoved: {
    title: '已移除通行密钥',
    summary: '该密钥已失效，24 小时内暂停提币。',
    content:
      '您账户的通行密钥“{{name}}”已于 {{time}} 移除，无法继续使用。24 小时内暂停提币。\n\n' +
      '如果不是您本人操作，请立即冻结账户并联系客服。',
  },
  passkeyCounter: {
    title: '请检查通行密钥',
    summary: '该密钥可能已被他人复制。',
    content:
      '通行密钥“{{name}}”于 {{time}} 被使用，但其签名计数未增加，该密钥可能已被他人复制。请在安全中心移除该通行密钥并重新添加。\n\n' +
      '如果不是您本人使用，请立即冻结账户并联系客服。',
  },
  apiKeyCreated: {
    title: '已创建 API 密钥',
    summary: '“{{name}}”创建于 {{time}}。',
    content:
      'API 密钥“{{name}}”创建于 {{time}}。持有该密钥的程序可在其权限内操作您的账户。\n\n如非本人操作，请立即在“安全”中撤销该密钥并修改密码。',
  },
  apiKeyNewAddress: {
    title: 'API 密钥在新地址使用',
    summary: '“{{name}}”在 {{address}} 被使用。',
    content:
      'API 密钥“{{name}}”在新的地址被使用。\n\nIP 地址：{{address}}\n时间：{{time}}\n\n如果这不是您的程序，请立即在“安全”中撤销该密钥。',
  },
  priceRose: {
    title: '{{pair}} 已涨至 {{price}} {{unit}}',
    summary: '您的价格提醒：达到或高于 {{limit}} {{unit}}。',
    content:
      '{{pair}} 于 {{time}} 的最新价为 {{price}} {{unit}}。\n\n' +
      '您设置了在达到或高于 {{limit}} {{unit}} 时提醒。',
  },
  priceFell: {
    title: '{{pair}} 已跌至 {{price}} {{unit}}',
    summary: '您的价格提醒：达到或低于 {{limit}} {{unit}}。',
    content:
      '{{pair}} 于 {{time}} 的最新价为 {{price}} {{unit}}。\n\n' +
      '您设置了在达到或低于 {{limit}} {{unit}} 时提醒。',
  },
  priceMoved: {
    title: '{{pair}} 涨跌幅达 {{percent}}%',
    summary: '从 {{from}} 到 {{price}} {{unit}}。',
    content:
      '{{pair}} 于 {{time}} 的最新价为 {{price}} {{unit}}，较 {{from}} {{unit}} 变动 {{percent}}%。\n\n' +
      '您设置了在涨跌幅达到 {{limit}}% 时提醒。',
  },
  indexRose: {
    title: '{{pair}} 指数价格已涨至 {{price}} {{unit}}',
    summary: '您的价格提醒：达到或高于 {{limit}} {{unit}}。',
    content:
      '{{pair}} 于 {{time}} 的指数价格为 {{price}} {{unit}}。\n\n' +
      '您设置了在达到或高于 {{limit}} {{unit}} 时提醒。',
  },
  indexFell: {
    title: '{{pair}} 指数价格已跌至 {{price}} {{unit}}',
    summary: '您的价格提醒：达到或低于 {{limit}} {{unit}}。',
    content:
      '{{pair}} 于 {{time}} 的指数价格为 {{price}} {{unit}}。\n\n' +
      '您设置了在达到或低于 {{limit}} {{unit}} 时提醒。',
  },
  indexMoved: {
    title: '{{pair}} 指数价格涨跌幅达 {{percent}}%',
    summary: '从 {{from}} 到 {{price}} {{unit}}。',
    content:
      '{{pair}} 于 {{time}} 的指数价格为 {{price}} {{unit}}，较 {{from}} {{unit}} 变动 {{percent}}%。\n\n' +
      '您设置了在涨跌幅达到 {{limit}}% 时提醒。',
  },
  buyFilled: {
    title: '买单已全部成交：{{pair}}',
    summary: '买入 {{amount}} {{coin}}，均价 {{price}} {{unit}}。',
    content:
      '您的买单已于 {{time}} 全部成交。\n\n' +
      '交易对：{{pair}}\n买入：{{amount}} {{coin}}\n均价：{{price}} {{unit}}\n成交额：{{total}} {{unit}}\n手续费：{{fee}} {{feeCoin}}\n订单号：{{order}}',
  },
  sellFilled: {
    title: '卖单已全部成交：{{pair}}',
    summary: '卖出 {{amount}} {{coin}}，均价 {{price}} {{unit}}。',
    content:
      '您的卖单已于 {{time}} 全部成交。\n\n' +
      '交易对：{{pair}}\n卖出：{{amount}} {{coin}}\n均价：{{price}} {{unit}}\n成交额：{{total}} {{unit}}\n手续费：{{fee}} {{feeCoin}}\n订单号：{{order}}',
  },
  buyPartlyFilled: {
    title: '买单部分成交后结束：{{pair}}',
    summary: '买入 {{amount}} {{coin}}，均价 {{price}} {{unit}}，其余未成交。',
    content:
      '您的买单已于 {{time}} 结束。部分成交，未成交部分所冻结的资金已解冻。\n\n' +
      '交易对：{{pair}}\n买入：{{amount}} {{coin}}\n均价：{{price}} {{unit}}\n成交额：{{total}} {{unit}}\n手续费：{{fee}} {{feeCoin}}\n订单号：{{order}}',
  },
  exitsNotPlaced: {
    title: '止盈止损未下单：{{pair}}',
    summary: '您成交的 {{amount}} {{coin}} 没有止盈止损委托。',
    content:
      '您的委托所附带的止盈止损单于 {{time}} 未能下单，原因见委托详情。成交所得已在您的现货账户中，您可以自行下单。\n\n' +
      '交易对：{{pair}}\n成交：{{amount}} {{coin}}\n订单号：{{order}}',
  },
  sellPartlyFilled: {
    title: '卖单部分成交后结束：{{pair}}',
    summary: '卖出 {{amount}} {{coin}}，均价 {{price}} {{unit}}，其余未成交。',
    content:
      '您的卖单已于 {{time}} 结束。部分成交，未成交部分所冻结的资金已解冻。\n\n' +
      '交易对：{{pair}}\n卖出：{{amount}} {{coin}}\n均价：{{price}} {{unit}}\n成交额：{{total}} {{unit}}\n手续费：{{fee}} {{feeCoin}}\n订单号：{{order}}',
  },
  identityVerified: {
    title: '身份认证已通过',
    summary: '您现在可以购买产品、使用闪兑，24 小时提币额度为 {{day}} USDT。',
    content:
      '您的身份认证已于 {{time}} 通过审核。\n\n' +
      '您现在可以购买产品、使用闪兑。24 小时提币额度为 {{day}} USDT，30 天提币额度为 {{month}} USDT。\n\n' +
      '认证信息不可更改。证件照片将在审核完成 {{days}} 天后删除。',
  },
  identityRejected: {
    title: '身份认证未通过',
    summary: '您提交的资料未能通过审核，请查看原因后重新提交。',
    content:
      '您提交的资料已于 {{time}} 完成审核，未能通过。\n\n' +
      '请打开“身份认证”查看原因。无误的信息会为您保留，您可以在 {{next}} 后重新提交。',
  },
  depositCredited: {
    title: '充币到账：{{amount}} {{coin}}',
    summary: '已存入您的现货账户。',
    content:
      '您的充币已完成网络确认并存入现货账户。\n\n' +
      '数量：{{amount}} {{coin}}\n网络：{{network}}\n交易哈希：{{txid}}\n到账时间：{{time}}',
  },
  depositRejected: {
    title: '充币未入账：{{amount}} {{coin}}',
    summary: '您的充币凭证已审核，原因见充币记录。',
    content:
      '您提交的充币经审核未能入账，原因见充币记录。\n\n数量：{{amount}} {{coin}}\n网络：{{network}}\n审核时间：{{time}}',
  },
  withdrawalHeld: {
    title: '提币申请已提交：{{amount}} {{coin}}',
    summary: '预计到账 {{arrival}} {{coin}}（{{network}} 网络）。',
    content:
      '您已提交提币申请。如非本人操作，请立即取消提币并冻结账户。\n\n' +
      '数量：{{amount}} {{coin}}\n手续费：{{fee}} {{coin}}\n到账数量：{{arrival}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n申请时间：{{time}}',
  },
  withdrawalByKey: {
    title: 'API 密钥申请提币：{{amount}} {{coin}}',
    summary: '预计到账 {{arrival}} {{coin}}（{{network}} 网络）。',
    content:
      '有程序使用您的 API 密钥“{{key}}”提交了提币申请。如非您的意愿，请立即取消提币、撤销该密钥并冻结账户。\n\n' +
      '数量：{{amount}} {{coin}}\n手续费：{{fee}} {{coin}}\n到账数量：{{arrival}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n申请时间：{{time}}',
  },
  withdrawalFinished: {
    title: '提币完成：{{amount}} {{coin}}',
    summary: '{{arrival}} {{coin}} 已通过 {{network}} 网络到账。',
    content:
      '网络已确认您的提币。\n\n' +
      '到账数量：{{arrival}} {{coin}}\n手续费：{{fee}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n交易哈希：{{txid}}\n完成时间：{{time}}',
  },
  withdrawalRejected: {
    title: '提币被拒绝：{{amount}} {{coin}}',
    summary: '全部金额已退回您的现货账户。',
    content:
      '您的提币申请被拒绝，原因请查看提币记录；全部金额已退回现货账户。\n\n' +
      '数量：{{amount}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n拒绝时间：{{time}}',
  },
  withdrawalFailed: {
    title: '提币失败：{{amount}} {{coin}}',
    summary: '全部金额已退回您的现货账户。',
    content:
      '网络拒绝了该笔转账，未转出任何资产。全部金额（含手续费）已退回您的现货账户。\n\n' +
      '数量：{{amount}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n交易哈希：{{txid}}\n失败时间：{{time}}',
  },
  withdrawalReturned: {
    title: '提币已退回：{{amount}} {{coin}}',
    summary: '全部金额已退回您的现货账户。',
    content:
      '该笔提币未转出，且不会再转出，原因请见提币记录。全部金额（含手续费）已退回您的现货账户。\n\n' +
      '数量：{{amount}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n退回时间：{{time}}',
  },
  withdrawalPaused: {
    title: '{{coin}} 提币已暂停',
    summary: '您的 {{amount}} {{coin}} 提币将在恢复后自动处理。',
    content:
      '{{network}} 网络的 {{coin}} 提币目前已暂停，您的提币尚未转出。该笔金额将继续冻结，提币恢复后系统会自动处理，您无需任何操作。恢复时我们会通知您。\n\n' +
      '数量：{{amount}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n申请时间：{{time}}',
  },
  withdrawalResumed: {
    title: '{{coin}} 提币已恢复',
    summary: '您的 {{amount}} {{coin}} 提币已继续处理。',
    content:
      '{{network}} 网络的 {{coin}} 提币已恢复，您的提币已继续处理，您无需任何操作。\n\n' +
      '数量：{{amount}} {{coin}}\n网络：{{network}}\n地址：{{address}}\n申请时间：{{time}}',
  },
  operatorNote: {
    title: '{{title}}',
    summary: '{{summary}}',
    content: '{{content}}\n\n本消息由 Amethyst 客服团队发送。',
  },
  supportAnswered: {
    title: '客服已回复',
    summary: '您的咨询已有回复。',
    content: '{{answer}}\n\n您的咨询：\n{{question}}',
  },
};
