import type { MailWords } from './shape.ts';

export const zhCN: MailWords = {
  purposes: {
    register: '注册账户',
    login: '登录',
    bind: '修改安全设置',
    withdraw: '提币',
    address: '修改地址簿',
    tradePassword: '设置资金密码',
    password: '修改登录密码',
    reset: '重置登录密码',
  },
  code: {
    subject: 'Amethyst 验证码：{{code}}',
    lines: [
      '您用于{{purpose}}的验证码：',
      '{{code}}',
      '验证码 {{minutes}} 分钟内有效，且仅限本次用途。请只在您获取验证码的 Amethyst 页面输入。',
      '如果不是您本人操作，请忽略本邮件：没有验证码，任何操作都不会生效。',
    ],
  },
  notices: {
    alreadyRegistered: {
      subject: '您已拥有 Amethyst 账户',
      lines: [
        '有人（可能是您本人）用此邮箱注册账户，但该邮箱已注册过账户。',
        '请直接登录，或在登录页选择“忘记密码”。',
        '如果不是您本人操作，无需理会。',
      ],
    },
    noAccount: {
      subject: '此邮箱没有 Amethyst 账户',
      lines: [
        '有人（可能是您本人）为此邮箱获取验证码，但没有账户使用该邮箱。',
        '您可能使用了其他邮箱注册。如需注册新账户，请选择“注册”。',
        '如果不是您本人操作，无需理会。',
      ],
    },
    newDevice: {
      subject: '您的 Amethyst 账户有新设备登录',
      lines: [
        '您的账户在一台新设备上登录。',
        '设备：{{device}}\nIP 地址：{{address}}\n时间：{{time}}',
        '如果不是您本人操作，请立即修改密码：其他登录会随之全部失效。',
      ],
    },
    newNetwork: {
      subject: '您的 Amethyst 账户有新网络登录',
      lines: [
        '您的账户从一个新的网络登录，所用设备此前使用过。',
        '设备：{{device}}\nIP 地址：{{address}}\n时间：{{time}}',
        '如果不是您本人操作，请立即修改密码：其他登录会随之全部失效。',
      ],
    },
    newDeviceAndNetwork: {
      subject: '您的 Amethyst 账户有新设备登录',
      lines: [
        '您的账户在一台新设备上、从一个新的网络登录。',
        '设备：{{device}}\nIP 地址：{{address}}\n时间：{{time}}',
        '如果不是您本人操作，请立即修改密码：其他登录会随之全部失效。',
      ],
    },
    passwordChanged: {
      subject: '您的 Amethyst 登录密码已修改',
      lines: [
        '您的登录密码已于 {{time}} 修改。其他登录已全部失效，24 小时内暂停提币。',
        '如果不是您本人操作，请立即重置密码并联系客服。',
      ],
    },
    passwordReset: {
      subject: '您的 Amethyst 登录密码已重置',
      lines: [
        '您的登录密码已于 {{time}} 通过邮箱验证码重置。所有登录均已失效，24 小时内暂停提币。',
        '如果不是您本人操作，请先保护好您的邮箱，再次重置密码并联系客服。',
      ],
    },
    passwordResetWithPasskeys: {
      subject: '您的 Amethyst 登录密码已重置',
      lines: [
        '您的登录密码已于 {{time}} 通过邮箱验证码重置。所有登录均已失效，24 小时内暂停提币。',
        '以下通行密钥仍可登录您的账户：\n{{passkeys}}\n如有您不认识的通行密钥，请在安全中心将其移除。',
        '如果不是您本人操作，请先保护好您的邮箱，再次重置密码并联系客服。',
      ],
    },
    tradePasswordSet: {
      subject: '您的 Amethyst 资金密码已设置',
      lines: [
        '您的账户已于 {{time}} 设置资金密码，其他登录已全部失效。',
        '如果不是您本人操作，请立即修改登录密码并联系客服。',
      ],
    },
    tradePasswordChanged: {
      subject: '您的 Amethyst 资金密码已修改',
      lines: [
        '您的资金密码已于 {{time}} 修改。其他登录已全部失效，24 小时内暂停提币。',
        '如果不是您本人操作，请立即修改登录密码并联系客服。',
      ],
    },
    tradePasswordReset: {
      subject: '您的 Amethyst 资金密码已重置',
      lines: [
        '您账户的资金密码已于 {{time}} 通过登录密码和邮箱验证码重置。其他登录已全部失效，24 小时内暂停提币。',
        '如果不是您本人操作，请立即修改登录密码并联系客服。',
      ],
    },
    accountFrozen: {
      subject: '您的 Amethyst 账户已冻结',
      lines: [
        '您的账户已于 {{time}} 冻结，所有登录会话均已结束。解冻前无法交易、购买或提币，您的资产不受影响。',
        '如需解冻，请在 Amethyst 网站的“帮助与联系”中联系客服，无需登录。请附上您的 UID：{{uid}}。',
      ],
    },
    authenticatorBound: {
      subject: '您的 Amethyst 账户已绑定身份验证器',
      lines: [
        '您的账户已于 {{time}} 绑定身份验证器，其他登录已全部失效。今后登录和资金操作都需要输入其验证码。',
        '如果不是您本人操作，请立即冻结账户并联系客服。',
      ],
    },
    authenticatorRemoved: {
      subject: '您的 Amethyst 账户已解绑身份验证器',
      lines: [
        '您的账户已于 {{time}} 解绑身份验证器。其他登录已全部失效，24 小时内暂停提币。',
        '如果不是您本人操作，请立即冻结账户并联系客服。',
      ],
    },
    recoveryCodeUsed: {
      subject: '您的 Amethyst 账户有一个恢复码被使用',
      lines: [
        '您的账户于 {{time}} 使用了一个恢复码代替身份验证器，该恢复码已失效。',
        '如果不是您本人操作，请立即冻结账户并联系客服。',
      ],
    },
    recoveryCodesRenewed: {
      subject: '您的 Amethyst 账户恢复码已更新',
      lines: [
        '您的账户已于 {{time}} 生成新的恢复码，旧恢复码和其他登录已全部失效。',
        '如果不是您本人操作，请立即冻结账户并联系客服。',
      ],
    },
    passkeyAdded: {
      subject: '您的 Amethyst 账户已添加通行密钥',
      lines: [
        '您的账户已于 {{time}} 添加通行密钥“{{name}}”，可用于登录和确认操作。其他登录已全部失效，24 小时内暂停提币。',
        '如果不是您本人操作，请立即冻结账户并联系客服。',
      ],
    },
    passkeyRemoved: {
      subject: '您的 Amethyst 账户已移除通行密钥',
      lines: [
        '您账户的通行密钥“{{name}}”已于 {{time}} 移除，无法继续使用。其他登录已全部失效，24 小时内暂停提币。',
        '如果不是您本人操作，请立即冻结账户并联系客服。',
      ],
    },
    passkeyCounter: {
      subject: '请检查您 Amethyst 账户的通行密钥',
      lines: [
        '通行密钥“{{name}}”于 {{time}} 被使用，但其签名计数未增加，该密钥可能已被他人复制。',
        '请在安全中心移除该通行密钥并重新添加。如果不是您本人使用，请立即冻结账户并联系客服。',
      ],
    },
    addressTaken: {
      subject: '该邮箱已有 Amethyst 账户',
      lines: [
        '有人尝试将此邮箱绑定到另一个 Amethyst 账户。该邮箱已属于某个账户，因此未作任何更改。',
        '如果不是您本人操作，无需理会。',
      ],
    },
    emailChanged: {
      subject: '您的 Amethyst 账户邮箱已更换',
      lines: [
        '您的账户已于 {{time}} 更换邮箱，此邮箱不再属于该账户。其他登录已全部失效，24 小时内暂停提币。',
        '如果不是您本人操作，请立即冻结账户并联系客服。',
      ],
    },
    emailBound: {
      subject: '此邮箱已绑定您的 Amethyst 账户',
      lines: [
        '此邮箱已于 {{time}} 绑定到您的账户，请使用它登录。24 小时内暂停提币。',
        '如果不是您本人操作，请联系客服。',
      ],
    },
    tradePasswordLocked: {
      subject: '您的 Amethyst 资金密码已锁定',
      lines: [
        '您的资金密码多次输入错误，已锁定 24 小时。如需提前解锁，请在安全设置中选择“忘记资金密码”，使用登录密码和邮箱验证码重置。',
        '如果不是您本人操作，请立即修改登录密码。',
      ],
    },
  },
  phishing: '您的防钓鱼码：{{words}}',
  freeze: '如需立即冻结账户，请打开以下链接并确认：\n{{link}}',
  actions: {
    withdrawal: '提币 {{amount}} {{coin}}（{{network}}）至 {{address}}',
    addAddress: '将 {{currency}}（{{network}}）地址 {{address}} 添加到地址簿',
    removeAddress: '从地址簿删除 {{currency}}（{{network}}）地址 {{address}}',
    removeNamedAddress: '从地址簿删除 {{currency}}（{{network}}）地址 {{address}}（备注：{{remark}}）',
    whitelistOn: '开启提币白名单',
    whitelistOff: '关闭提币白名单',
    changePassword: '修改登录密码',
    setTradePassword: '设置资金密码',
    resetTradePassword: '重置资金密码',
    bindAuthenticator: '绑定身份验证器',
    removeAuthenticator: '解绑身份验证器',
    renewRecovery: '生成新的恢复码',
    addPasskey: '添加通行密钥“{{name}}”',
    removePasskey: '移除通行密钥',
    changeEmail: '将账户邮箱更换为 {{email}}',
    setPhrase: '将防钓鱼码设置为“{{text}}”',
    createApiKey: '创建 API 密钥“{{name}}”',
    createWithdrawalKey: '创建可每日提币 {{withdrawalLimit}} USDT 的 API 密钥“{{name}}”',
  },
  closing: [
    '我们绝不会通过邮件、电话或聊天索要您的密码或验证码。我们的邮件中唯一可能出现的链接用于冻结账户，绝不会要求您登录。',
    'Amethyst',
  ],
};
