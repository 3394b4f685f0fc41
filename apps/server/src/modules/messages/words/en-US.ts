import type { MessageWords, OwnMessageKind } from '../domain.ts';

export const enUS: Readonly<Record<OwnMessageKind, MessageWords>> = {
  welcome: {
    title: 'Welcome to Amethyst',
    summary: 'Your account is ready. Three steps make it safer.',
    content:
      'Your account is ready.\n\n' +
      'Set a trade password. It confirms withdrawals and purchases.\n\n' +
      'Verify your identity before your first withdrawal.\n\n' +
      'We never ask for your password or a code by email, phone, or chat.',
  },
  agreementsChanged: {
    title: 'User agreement and privacy policy updated',
    summary:
      'Version {{terms}} of the user agreement and version {{privacy}} of the privacy policy are in effect.',
    content:
      'The texts that apply to your account have changed. Version {{terms}} of the user agreement and version {{privacy}} of the privacy policy are now in effect.\n\n' +
      'You can read both under About us. Products you hold keep the terms under which you bought them. If you do not agree to the changes, you can close your account.\n\n' +
      'You do not have to do anything to keep using your account.',
  },
  newDevice: {
    title: 'New login',
    summary: '{{device}}, {{address}}',
    content:
      'Someone logged in to your account from a device we have not seen before.\n\n' +
      'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}\n\n' +
      'If this was not you, change your password right away. That ends all other sessions.',
  },
  newNetwork: {
    title: 'New login',
    summary: '{{device}}, {{address}}',
    content:
      'Someone logged in to your account from a network we have not seen before. You have used the device before.\n\n' +
      'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}\n\n' +
      'If this was not you, change your password right away. That ends all other sessions.',
  },
  newDeviceAndNetwork: {
    title: 'New login',
    summary: '{{device}}, {{address}}',
    content:
      'Someone logged in to your account from a device and a network we have not seen before.\n\n' +
      'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}\n\n' +
      'If this was not you, change your password right away. That ends all other sessions.',
  },
  passwordChanged: {
    title: 'Password changed',
    summary: 'Other sessions have ended; withdrawals are on hold until {{until}}.',
    content:
      'Your login password was changed on {{time}}. All other sessions have ended, and withdrawals are on hold until {{until}}.\n\n' +
      'If this was not you, reset your password right away and contact support.',
  },
  passwordReset: {
    title: 'Password reset',
    summary: 'All sessions have ended; withdrawals are on hold until {{until}}.',
    content:
      'Your login password was reset with an email code on {{time}}. All sessions have ended, and withdrawals are on hold until {{until}}.\n\n' +
      'If this was not you, secure your email account, reset your password again, and contact support.',
  },
  passwordResetWithPasskeys: {
    title: 'Password reset',
    summary: 'Check your passkeys; withdrawals are on hold until {{until}}.',
    content:
      'Your login password was reset with an email code on {{time}}. All sessions have ended, and withdrawals are on hold until {{until}}.\n\n' +
      'These passkeys can still log in to your account:\n{{passkeys}}\nIf you do not recognize one of them, remove it under Security.\n\n' +
      'If this was not you, secure your email account, reset your password again, and contact support.',
  },
  tradePasswordSet: {
    title: 'Trade password set',
    summary: 'It confirms withdrawals and purchases.',
    content:
      'A trade password was set for your account on {{time}}.\n\n' +
      'If this was not you, change your login password right away and contact support.',
  },
  tradePasswordChanged: {
    title: 'Trade password changed',
    summary: 'Withdrawals are on hold for 24 hours.',
    content:
      'Your trade password was changed on {{time}}. Withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, change your login password right away and contact support.',
  },
  tradePasswordLocked: {
    title: 'Trade password locked',
    summary: 'It was entered incorrectly several times.',
    content:
      'Your trade password was entered incorrectly several times and is locked for 24 hours. To unlock it sooner, choose “Forgot trade password?” under Security and reset it with your login password and an email code.\n\n' +
      'If this was not you, change your login password right away.',
  },
  accountFrozen: {
    title: 'Account frozen',
    summary: 'Contact customer service to have it unfrozen.',
    content:
      'Your account was frozen on {{time}}. Every session ended, and nothing could be traded, bought, or withdrawn.\n\nTo have it unfrozen, or if you have questions about it, write to customer service under Help & contact. You do not need to log in.',
  },
  authenticatorBound: {
    title: 'Authenticator added',
    summary: 'From now on, you need its code to log in and to move money.',
    content:
      'An authenticator app was added to your account on {{time}}. From now on, you need its code to log in and to move money.\n\n' +
      'Keep your recovery codes in a safe place. Each one replaces the authenticator once.\n\n' +
      'If this was not you, freeze your account right away and contact support.',
  },
  authenticatorRemoved: {
    title: 'Authenticator removed',
    summary: 'Withdrawals are on hold for 24 hours.',
    content:
      'The authenticator app was removed from your account on {{time}}. Withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, freeze your account right away and contact support.',
  },
  recoveryCodeUsed: {
    title: 'Recovery code used',
    summary: 'It was used instead of your authenticator and cannot be used again.',
    content:
      'A recovery code was used instead of your authenticator on {{time}}. It cannot be used again.\n\n' +
      'If this was not you, freeze your account right away and contact support.',
  },
  recoveryCodesRenewed: {
    title: 'Recovery codes renewed',
    summary: 'The old ones no longer work.',
    content:
      'New recovery codes were created for your account on {{time}}. The old ones no longer work.\n\n' +
      'If this was not you, freeze your account right away and contact support.',
  },
  emailChanged: {
    title: 'Email address changed',
    summary: 'Withdrawals are on hold for 24 hours.',
    content:
      'Your email address was changed on {{time}}. Other sessions have ended, and withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, freeze your account right away and contact support.',
  },
  passkeyAdded: {
    title: 'Passkey added',
    summary: 'You can log in with it. Withdrawals are on hold for 24 hours.',
    content:
      'The passkey “{{name}}” was added to your account on {{time}}. You can log in and confirm actions with it. Withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, freeze your account right away and contact support.',
  },
  passkeyRemoved: {
    title: 'Passkey removed',
    summary: 'It no longer works. Withdrawals are on hold for 24 hours.',
    content:
      'The passkey “{{name}}” was removed from your account on {{time}} and no longer works. Withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, freeze your account right away and contact support.',
  },
  passkeyCounter: {
    title: 'Check one of your passkeys',
    summary: 'Someone may have a copy of it.',
    content:
      'The passkey “{{name}}” was used on {{time}}, but its signature counter did not go up. This can mean that someone has a copy of it. Remove this passkey under Security and add a new one.\n\n' +
      'If you did not use it yourself, freeze your account right away and contact support.',
  },
  apiKeyCreated: {
    title: 'API key created',
    summary: '“{{name}}” was created on {{time}}.',
    content:
      'The API key “{{name}}” was created on {{time}}. Programs that hold it act for your account within its permissions.\n\nIf this was not you, revoke the key in Security right away and change your password.',
  },
  apiKeyNewAddress: {
    title: 'API key used from a new address',
    summary: '“{{name}}” was used from {{address}}.',
    content:
      'The API key “{{name}}” was used from a new address.\n\nIP address: {{address}}\nTime: {{time}}\n\nIf this is not your program, revoke the key in Security right away.',
  },
  priceRose: {
    title: '{{pair}} has risen to {{price}} {{unit}}',
    summary: 'Your price alert: {{limit}} {{unit}} or higher.',
    content:
      'The last price of {{pair}} was {{price}} {{unit}} on {{time}}.\n\n' +
      'You asked to be notified at {{limit}} {{unit}} or higher.',
  },
  priceFell: {
    title: '{{pair}} has fallen to {{price}} {{unit}}',
    summary: 'Your price alert: {{limit}} {{unit}} or lower.',
    content:
      'The last price of {{pair}} was {{price}} {{unit}} on {{time}}.\n\n' +
      'You asked to be notified at {{limit}} {{unit}} or lower.',
  },
  priceMoved: {
    title: '{{pair}} has moved by {{percent}}%',
    summary: 'From {{from}} to {{price}} {{unit}}.',
    content:
      'The last price of {{pair}} was {{price}} {{unit}} on {{time}}: {{percent}}% from {{from}} {{unit}}.\n\n' +
      'You asked to be notified of a move of {{limit}}% or more.',
  },
  indexRose: {
    title: 'The index of {{pair}} has risen to {{price}} {{unit}}',
    summary: 'Your price alert: {{limit}} {{unit}} or higher.',
    content:
      'The index of {{pair}} was {{price}} {{unit}} on {{time}}.\n\n' +
      'You asked to be notified at {{limit}} {{unit}} or higher.',
  },
  indexFell: {
    title: 'The index of {{pair}} has fallen to {{price}} {{unit}}',
    summary: 'Your price alert: {{limit}} {{unit}} or lower.',
    content:
      'The index of {{pair}} was {{price}} {{unit}} on {{time}}.\n\n' +
      'You asked to be notified at {{limit}} {{unit}} or lower.',
  },
  indexMoved: {
    title: 'The index of {{pair}} has moved by {{percent}}%',
    summary: 'From {{from}} to {{price}} {{unit}}.',
    content:
      'The index of {{pair}} was {{price}} {{unit}} on {{time}}: {{percent}}% from {{from}} {{unit}}.\n\n' +
      'You asked to be notified of a move of {{limit}}% or more.',
  },
  buyFilled: {
    title: 'Buy order filled: {{pair}}',
    summary: 'Bought {{amount}} {{coin}} at an average of {{price}} {{unit}}.',
    content:
      'Your buy order was fully filled on {{time}}.\n\n' +
      'Pair: {{pair}}\nBought: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  sellFilled: {
    title: 'Sell order filled: {{pair}}',
    summary: 'Sold {{amount}} {{coin}} at an average of {{price}} {{unit}}.',
    content:
      'Your sell order was fully filled on {{time}}.\n\n' +
      'Pair: {{pair}}\nSold: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  buyPartlyFilled: {
    title: 'Buy order partially filled: {{pair}}',
    summary: 'Bought {{amount}} {{coin}} at an average of {{price}} {{unit}}; the rest was not filled.',
    content:
      'Your buy order ended on {{time}}. Part of it was filled, and the amount on hold for the rest is available again.\n\n' +
      'Pair: {{pair}}\nBought: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  exitsNotPlaced: {
    title: 'Take profit and stop loss not placed: {{pair}}',
    summary: 'No take-profit or stop-loss order was placed for the {{amount}} {{coin}} you traded.',
    content:
      'The take-profit and stop-loss orders of your order could not be placed on {{time}}. The reason is shown with the order. What you received is in your spot account, and you can place orders for it yourself.\n\n' +
      'Pair: {{pair}}\nFilled: {{amount}} {{coin}}\nOrder ID: {{order}}',
  },
  sellPartlyFilled: {
    title: 'Sell order partially filled: {{pair}}',
    summary: 'Sold {{amount}} {{coin}} at an average of {{price}} {{unit}}; the rest was not filled.',
    content:
      'Your sell order ended on {{time}}. Part of it was filled, and the amount on hold for the rest is available again.\n\n' +
      'Pair: {{pair}}\nSold: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  identityVerified: {
    title: 'Identity verified',
    summary: 'You can now buy products, convert, and withdraw up to {{day}} USDT a day.',
    content:
      'Your identity was verified on {{time}}.\n\n' +
      'You can now buy products and convert coins, and withdraw up to {{day}} USDT within 24 hours and {{month}} USDT within 30 days.\n\n' +
      'Your verified identity cannot be changed. The photos of your document are erased {{days}} days after this decision.',
  },
  identityRejected: {
    title: 'Identity not verified yet',
    summary: 'Your documents could not be accepted. See what to fix, and submit again.',
    content:
      'Your submission was reviewed on {{time}} and could not be accepted.\n\n' +
      'Open “Identity verification” to see the reasons. Everything that was correct is kept. You can submit again from {{next}}.',
  },
  depositCredited: {
    title: 'Deposit credited: {{amount}} {{coin}}',
    summary: 'Available in your spot account.',
    content:
      'Your deposit has all its confirmations and is in your spot account.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nTxID: {{txid}}\nCredited: {{time}}',
  },
  depositRejected: {
    title: 'Deposit not credited: {{amount}} {{coin}}',
    summary: 'Your proof was reviewed. The reason is shown in your deposit history.',
    content:
      'The deposit you reported was reviewed and could not be credited. The reason is shown in your deposit history.\n\nAmount: {{amount}} {{coin}}\nNetwork: {{network}}\nReviewed: {{time}}',
  },
  withdrawalHeld: {
    title: 'Withdrawal requested: {{amount}} {{coin}}',
    summary: '{{arrival}} {{coin}} will arrive on the {{network}} network.',
    content:
      'You requested a withdrawal. If this was not you, cancel it and freeze your account right away.\n\n' +
      'Amount: {{amount}} {{coin}}\nFee: {{fee}} {{coin}}\nArrives: {{arrival}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nRequested: {{time}}',
  },
  withdrawalByKey: {
    title: 'Withdrawal by API key: {{amount}} {{coin}}',
    summary: '{{arrival}} {{coin}} will arrive on the {{network}} network.',
    content:
      'A program requested a withdrawal with your API key “{{key}}”. If this was not intended, cancel it, revoke the key and freeze your account right away.\n\n' +
      'Amount: {{amount}} {{coin}}\nFee: {{fee}} {{coin}}\nArrives: {{arrival}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nRequested: {{time}}',
  },
  withdrawalFinished: {
    title: 'Withdrawal sent: {{amount}} {{coin}}',
    summary: '{{arrival}} {{coin}} arrived on the {{network}} network.',
    content:
      'The network has confirmed your withdrawal.\n\n' +
      'Arrived: {{arrival}} {{coin}}\nFee: {{fee}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nTxID: {{txid}}\nFinished: {{time}}',
  },
  withdrawalRejected: {
    title: 'Withdrawal rejected: {{amount}} {{coin}}',
    summary: 'The full amount is back in your spot account.',
    content:
      'Your withdrawal was rejected. The reason is shown in your withdrawal history. The full amount is back in your spot account.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nRejected: {{time}}',
  },
  withdrawalFailed: {
    title: 'Withdrawal failed: {{amount}} {{coin}}',
    summary: 'The full amount is back in your spot account.',
    content:
      'The network rejected the transfer, and nothing was sent. The full amount, including the fee, is back in your spot account.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nTxID: {{txid}}\nFailed: {{time}}',
  },
  withdrawalReturned: {
    title: 'Withdrawal returned: {{amount}} {{coin}}',
    summary: 'The full amount is back in your spot account.',
    content:
      'Your withdrawal was not paid and cannot be paid any more. The reason is shown in your withdrawal history. The full amount, including the fee, is back in your spot account.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nReturned: {{time}}',
  },
  withdrawalPaused: {
    title: '{{coin}} withdrawals are paused',
    summary: 'Your withdrawal of {{amount}} {{coin}} is processed as soon as they resume.',
    content:
      'Withdrawals of {{coin}} on the {{network}} network are paused at the moment, so your withdrawal has not been sent yet. Its amount stays reserved, and it is processed automatically as soon as withdrawals resume. You do not need to do anything; we will let you know.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nRequested: {{time}}',
  },
  withdrawalResumed: {
    title: '{{coin}} withdrawals have resumed',
    summary: 'Your withdrawal of {{amount}} {{coin}} is being processed again.',
    content:
      'Withdrawals of {{coin}} on the {{network}} network have resumed, and your withdrawal is being processed again. You do not need to do anything.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nRequested: {{time}}',
  },
  operatorNote: {
    title: '{{title}}',
    summary: '{{summary}}',
    content: '{{content}}\n\nThis message was sent to you by Amethyst support.',
  },
  supportAnswered: {
    title: 'Customer service has replied',
    summary: 'There is a reply to your message.',
    content: '{{answer}}\n\nYou wrote:\n{{question}}',
  },
};
