import type { MessageKind, MessageWords } from '../domain.ts';

export const enUS: Readonly<Record<MessageKind, MessageWords>> = {
  welcome: {
    title: 'Welcome to Amethyst',
    summary: 'Your account is open. Three steps make it safer.',
    content:
      'Your account is open.\n\n' +
      'Set a trade password: you will be asked for it when money moves.\n\n' +
      'Complete identity verification before your first withdrawal.\n\n' +
      'We never ask for your password or a code by mail, phone or chat.',
  },
  newDevice: {
    title: 'New login',
    summary: '{{device}}, {{address}}',
    content:
      'Your account was logged in to from a device we have not seen before.\n\n' +
      'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}\n\n' +
      'If this was not you, change your password right away: that ends all other sessions.',
  },
  passwordChanged: {
    title: 'Password changed',
    summary: 'Other sessions have ended; withdrawals are on hold until {{until}}.',
    content:
      'Your login password was changed on {{time}}. All other sessions have ended, and withdrawals are on hold until {{until}}.\n\n' +
      'If this was not you, reset your password at once and contact support.',
  },
  passwordReset: {
    title: 'Password reset',
    summary: 'All sessions have ended; withdrawals are on hold until {{until}}.',
    content:
      'Your login password was reset with an email code on {{time}}. All sessions have ended, and withdrawals are on hold until {{until}}.\n\n' +
      'If this was not you, secure your mailbox, reset the password again and contact support.',
  },
  tradePasswordSet: {
    title: 'Trade password set',
    summary: 'You will be asked for it when money moves.',
    content:
      'A trade password was set for your account on {{time}}.\n\n' +
      'If this was not you, change your login password at once and contact support.',
  },
  tradePasswordChanged: {
    title: 'Trade password changed',
    summary: 'Withdrawals are on hold for 24 hours.',
    content:
      'The trade password of your account was changed on {{time}}. Withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, change your login password at once and contact support.',
  },
  tradePasswordLocked: {
    title: 'Trade password locked',
    summary: 'It was entered incorrectly several times.',
    content:
      'Your trade password was entered incorrectly several times and is locked for 24 hours. To unlock it earlier, choose “Forgot trade password” in the security settings: it takes your login password and an email code.\n\n' +
      'If this was not you, change your login password at once.',
  },
  authenticatorBound: {
    title: 'Authenticator added',
    summary: 'Logging in and moving money take its code from now on.',
    content:
      'An authenticator app was bound to your account on {{time}}. Logging in and moving money take its code from now on.\n\n' +
      'Keep your recovery codes in a safe place: each replaces the authenticator once.\n\n' +
      'If this was not you, freeze your account at once and contact support.',
  },
  authenticatorRemoved: {
    title: 'Authenticator removed',
    summary: 'Withdrawals are on hold for 24 hours.',
    content:
      'The authenticator app of your account was removed on {{time}}. Withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, freeze your account at once and contact support.',
  },
  recoveryCodeUsed: {
    title: 'Recovery code used',
    summary: 'It replaced your authenticator and cannot be used again.',
    content:
      'A recovery code was used in place of your authenticator on {{time}}. It cannot be used again.\n\n' +
      'If this was not you, freeze your account at once and contact support.',
  },
  recoveryCodesRenewed: {
    title: 'Recovery codes renewed',
    summary: 'The old ones no longer work.',
    content:
      'New recovery codes were made for your account on {{time}}. The old ones no longer work.\n\n' +
      'If this was not you, freeze your account at once and contact support.',
  },
  emailChanged: {
    title: 'Email address changed',
    summary: 'Withdrawals are on hold for 24 hours.',
    content:
      'The email address of your account was changed on {{time}}. Other sessions have ended, and withdrawals are on hold for 24 hours.\n\n' +
      'If this was not you, freeze your account at once and contact support.',
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
  buyFilled: {
    title: 'Buy order filled: {{pair}}',
    summary: 'Bought {{amount}} {{coin}} at an average of {{price}} {{unit}}.',
    content:
      'Your buy order was filled completely on {{time}}.\n\n' +
      'Pair: {{pair}}\nBought: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  sellFilled: {
    title: 'Sell order filled: {{pair}}',
    summary: 'Sold {{amount}} {{coin}} at an average of {{price}} {{unit}}.',
    content:
      'Your sell order was filled completely on {{time}}.\n\n' +
      'Pair: {{pair}}\nSold: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  buyPartlyFilled: {
    title: 'Buy order ended partly filled: {{pair}}',
    summary: 'Bought {{amount}} {{coin}} at an average of {{price}} {{unit}}; the rest was not filled.',
    content:
      'Your buy order ended on {{time}}. A part of it was filled; what was held for the rest is available again.\n\n' +
      'Pair: {{pair}}\nBought: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  exitsNotPlaced: {
    title: 'Take profit and stop loss not placed: {{pair}}',
    summary: 'Your {{amount}} {{coin}} have no take-profit or stop-loss order.',
    content:
      'The take-profit and stop-loss orders of your buy could not be placed on {{time}}. The reason is shown with the order. What it bought is in your spot account; you can place orders for it yourself.\n\n' +
      'Pair: {{pair}}\nBought: {{amount}} {{coin}}\nOrder ID: {{order}}',
  },
  sellPartlyFilled: {
    title: 'Sell order ended partly filled: {{pair}}',
    summary: 'Sold {{amount}} {{coin}} at an average of {{price}} {{unit}}; the rest was not filled.',
    content:
      'Your sell order ended on {{time}}. A part of it was filled; what was held for the rest is available again.\n\n' +
      'Pair: {{pair}}\nSold: {{amount}} {{coin}}\nAverage price: {{price}} {{unit}}\nTotal: {{total}} {{unit}}\nFee: {{fee}} {{feeCoin}}\nOrder ID: {{order}}',
  },
  secondsNoPrice: {
    title: 'Seconds contract: position returned',
    summary: '{{amount}} {{coin}} are back in your seconds account.',
    content:
      'Your position has no result, because the index has no price at its entry or its expiry. Your stake and fee were returned in full.\n\n' +
      'Pair: {{pair}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
  },
  secondsIntervalVoid: {
    title: 'Seconds contract: position returned',
    summary: '{{amount}} {{coin}} are back in your seconds account.',
    content:
      'Your position has no result, because the period it depends on was declared void. Your stake and fee were returned in full. The declaration and its reason are public on the proof pages.\n\n' +
      'Pair: {{pair}}\nDuration: {{seconds}} seconds\nOpened: {{time}}\nStake: {{stake}} {{coin}}\nFee: {{fee}} {{coin}}\nPosition ID: {{order}}',
  },
  subscriptionAllocated: {
    title: 'You received {{amount}} {{unit}}',
    summary: 'Cost {{total}} {{coin}}; {{price}} {{coin}} were refunded.',
    content:
      'The subscription was allocated.\n\n' +
      'Committed: {{principal}} {{coin}}\nAllocated: {{amount}} {{unit}}\nCost: {{total}} {{coin}}\nRefunded: {{price}} {{coin}}\nListing: {{start}}\n\n' +
      'You can check your allocation against the public files in your records.',
  },
  subscriptionRefunded: {
    title: 'Subscription refunded: {{principal}} {{coin}}',
    summary: 'You received no {{unit}}; everything is in your spot account again.',
    content:
      'You received no tokens in the subscription of {{unit}}. Your commitment was refunded in full.\n\n' +
      'Refunded: {{principal}} {{coin}}\n\nThe public files in your records show the result of the sale.',
  },
  miningStarted: {
    title: 'Mining order placed: {{principal}} {{coin}}',
    summary: '{{days}}-day cycle, earning from {{start}}.',
    content:
      'You bought a mining product.\n\n' +
      'Amount: {{principal}} {{coin}}\nCycle: {{days}} days\nEarns from: {{start}}\nCycle ends: {{end}}\nOrder ID: {{order}}\n\n' +
      'The income of each day is credited at 00:10 UTC of the next. After the cycle you can redeem the amount at any time.',
  },
  miningIncome: {
    title: 'Mining income received: {{amount}} {{coin}}',
    summary: 'From your {{days}}-day order of {{principal}} {{coin}}.',
    content:
      'The income of one day was credited to your spot account.\n\n' +
      'Income: {{amount}} {{coin}}\nAmount: {{principal}} {{coin}}\nCycle: {{days}} days\nCycle ends: {{end}}\nOrder ID: {{order}}',
  },
  miningEnded: {
    title: 'Mining order ready to redeem: {{principal}} {{coin}}',
    summary: 'Its cycle has ended and it earns nothing more.',
    content:
      'The cycle of your mining order has ended. You can redeem the amount to your spot account at any time; it arrives at once.\n\n' +
      'Amount: {{principal}} {{coin}}\nIncome in all: {{total}} {{coin}}\nCycle: {{days}} days\nCycle ended: {{end}}\nOrder ID: {{order}}',
  },
  miningRedeemed: {
    title: 'Mining order redeemed: {{principal}} {{coin}}',
    summary: 'The amount is in your spot account.',
    content:
      'Your mining order was redeemed to your spot account.\n\n' +
      'Amount: {{principal}} {{coin}}\nIncome in all: {{total}} {{coin}}\nCycle: {{days}} days\nOrder ID: {{order}}',
  },
  fundBought: {
    title: '{{fund}}: bought {{quantity}} units',
    summary: 'At {{value}} {{coin}}, {{leverage}}× leverage, margin {{margin}} {{coin}}.',
    content:
      'Your fund purchase was dealt at the first unit value after it was accepted.\n\n' +
      'Fund: {{fund}}\nUnits: {{quantity}}\nUnit value: {{value}} {{coin}}\nLeverage: {{leverage}}×\nMargin: {{margin}} {{coin}}\nLiquidation below: {{limit}}\nPosition ID: {{order}}',
  },
  fundCancelled: {
    title: '{{fund}}: purchase canceled',
    summary: '{{margin}} {{coin}} are back in your spot account.',
    content:
      'Your fund purchase could not be dealt: there was no reliable unit value in time, the amount was too small for one step, or the fund was closed. Your margin is back in your spot account.\n\n' +
      'Fund: {{fund}}\nReturned: {{margin}} {{coin}}\nPosition ID: {{order}}',
  },
  fundWarned: {
    title: '{{fund}}: margin ratio below {{ratio}}',
    summary: 'The value is {{value}} {{coin}}; the position is liquidated below {{limit}}.',
    content:
      'The margin ratio of your position fell below {{ratio}}. At a ratio below 1 it is liquidated. Add margin or sell units to lower the risk.\n\n' +
      'Fund: {{fund}}\nUnits: {{quantity}}\nUnit value: {{value}} {{coin}}\nLiquidation below: {{limit}} {{coin}}\nMargin: {{margin}} {{coin}}\nPosition ID: {{order}}',
  },
  fundLiquidated: {
    title: '{{fund}}: position liquidated',
    summary: 'At {{value}} {{coin}}; {{amount}} {{coin}} were returned.',
    content:
      'Your equity fell below the maintenance margin, so your position was closed at that unit value.\n\n' +
      'Fund: {{fund}}\nUnits: {{quantity}}\nBought at: {{price}} {{coin}}\nLiquidated at: {{value}} {{coin}}\nReturned: {{amount}} {{coin}}\nTime: {{time}}\nPosition ID: {{order}}\n\n' +
      'Your records show how to check this liquidation against the price tape.',
  },
  fundSold: {
    title: '{{fund}}: limit sell executed',
    summary: '{{quantity}} units at {{value}} {{coin}}; you received {{amount}} {{coin}}.',
    content:
      'Your limit order to sell fund units was executed.\n\n' +
      'Fund: {{fund}}\nUnits: {{quantity}}\nBought at: {{price}} {{coin}}\nSold at: {{value}} {{coin}}\nReceived: {{amount}} {{coin}}\nTime: {{time}}\nPosition ID: {{order}}',
  },
  fundExited: {
    title: '{{fund}} was closed: {{amount}} {{coin}} returned',
    summary: 'All units were redeemed at {{value}} {{coin}}.',
    content:
      'The fund was closed, and all its units were redeemed at its last unit value.\n\n' +
      'Fund: {{fund}}\nUnits: {{quantity}}\nBought at: {{price}} {{coin}}\nRedeemed at: {{value}} {{coin}}\nReceived: {{amount}} {{coin}}\nTime: {{time}}\nPosition ID: {{order}}',
  },
  financeBought: {
    title: 'Fixed-term order placed: {{principal}} {{coin}}',
    summary: '{{days}} days, earning from {{start}}.',
    content:
      'You bought a fixed-term product.\n\n' +
      'Amount: {{principal}} {{coin}}\nTerm: {{days}} days\nEarns from: {{start}}\nMatures: {{end}}\nOrder ID: {{order}}\n\n' +
      'The amount is locked until it matures. Early withdrawal is not supported.',
  },
  financeIncome: {
    title: 'Interest received: {{amount}} {{coin}}',
    summary: 'From your {{days}}-day order of {{principal}} {{coin}}.',
    content:
      'The interest of one day was credited to your spot account.\n\n' +
      'Interest: {{amount}} {{coin}}\nPrincipal: {{principal}} {{coin}}\nTerm: {{days}} days\nMatures: {{end}}\nOrder ID: {{order}}',
  },
  financeMatured: {
    title: 'Fixed-term order matured: {{principal}} {{coin}}',
    summary: 'Principal and interest are in your spot account.',
    content:
      'Your fixed-term order has matured and was paid out to your spot account.\n\n' +
      'Principal: {{principal}} {{coin}}\nInterest in all: {{total}} {{coin}}\nTerm: {{days}} days\nMatured: {{end}}\nOrder ID: {{order}}',
  },
  identityVerified: {
    title: 'Identity verified',
    summary: 'You can now buy products, convert, and withdraw up to {{day}} USDT a day.',
    content:
      'Your identity was verified on {{time}}.\n\n' +
      'You can now buy products and convert coins, and withdraw up to {{day}} USDT within 24 hours and {{month}} USDT within 30 days.\n\n' +
      'The verified identity is final. The pictures of your document are erased {{days}} days after this decision.',
  },
  identityRejected: {
    title: 'Identity not verified yet',
    summary: 'Your documents could not be accepted. See what to do and submit again.',
    content:
      'Your submission was reviewed on {{time}} and could not be accepted.\n\n' +
      'Open “Identity verification” to see the reasons. What was right is kept; you can submit again from {{next}}.',
  },
  depositCredited: {
    title: 'Deposit credited: {{amount}} {{coin}}',
    summary: 'Available in your spot account.',
    content:
      'Your deposit has its confirmations and is in your spot account.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nTxID: {{txid}}\nCredited: {{time}}',
  },
  depositRejected: {
    title: 'Deposit not credited: {{amount}} {{coin}}',
    summary: 'Your proof was reviewed. The reason is shown in your deposit records.',
    content:
      'The deposit that you reported was reviewed and could not be credited. The reason is shown in your deposit records.\n\nAmount: {{amount}} {{coin}}\nNetwork: {{network}}\nReviewed: {{time}}',
  },
  withdrawalHeld: {
    title: 'Withdrawal requested: {{amount}} {{coin}}',
    summary: '{{arrival}} {{coin}} will arrive on {{network}}.',
    content:
      'You asked for a withdrawal. If this was not you, cancel it and freeze your account at once.\n\n' +
      'Amount: {{amount}} {{coin}}\nFee: {{fee}} {{coin}}\nArrives: {{arrival}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nRequested: {{time}}',
  },
  withdrawalFinished: {
    title: 'Withdrawal sent: {{amount}} {{coin}}',
    summary: '{{arrival}} {{coin}} arrived on {{network}}.',
    content:
      'The network has confirmed your withdrawal.\n\n' +
      'Arrived: {{arrival}} {{coin}}\nFee: {{fee}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nTxID: {{txid}}\nFinished: {{time}}',
  },
  withdrawalRejected: {
    title: 'Withdrawal rejected: {{amount}} {{coin}}',
    summary: 'The whole amount is back in your spot account.',
    content:
      'Your withdrawal was rejected. The reason is shown in your withdrawal records; the whole amount is back in your spot account.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nRejected: {{time}}',
  },
  withdrawalFailed: {
    title: 'Withdrawal failed: {{amount}} {{coin}}',
    summary: 'The whole amount is back in your spot account.',
    content:
      'The network refused the transfer, and nothing was sent. The whole amount, fee included, is back in your spot account.\n\n' +
      'Amount: {{amount}} {{coin}}\nNetwork: {{network}}\nAddress: {{address}}\nTxID: {{txid}}\nFailed: {{time}}',
  },
  operatorNote: {
    title: '{{title}}',
    summary: '{{summary}}',
    content: '{{content}}\n\nThis message was sent to you by Amethyst support.',
  },
  supportAnswered: {
    title: 'Customer service has answered',
    summary: 'Your request has an answer.',
    content: '{{answer}}\n\nYou wrote:\n{{question}}',
  },
  inviteRewarded: {
    title: 'Invitation reward received',
    summary: '{{amounts}} from the trading fees of {{day}}.',
    content:
      'Your share of the trading fees that people you invited paid was credited to your spot account.\n\n' +
      'Reward: {{amounts}}\nTrading day: {{day}} (UTC)\nFriends who traded: {{people}}\n\n' +
      'Every reward is listed under Invite.',
  },
};
