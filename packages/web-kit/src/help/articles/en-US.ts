import type { Articles } from '../articles.ts';

export const articles: Articles = {
  'sign-up': {
    title: 'Open an account',
    body: [
      'You need an email address and about a minute.',
      '- Enter your email, request a code, and type the six digits that we send you.',
      '- Choose a password of 8 to 24 characters that begins with a letter and contains a digit. Common passwords and ones that contain the name of your mailbox are refused.',
      '- If somebody invited you, enter their code. It cannot be added later.',
      'You are signed in at once. Looking around and trading need no identity verification; buying products, exchanging coins, and withdrawing do.',
    ],
  },
  'mailed-codes': {
    title: 'I did not receive a code',
    body: [
      'Codes usually arrive within seconds. If yours did not:',
      '- Check the spam folder and the spelling of your address.',
      '- Wait until the countdown on the button has ended, then request another code. Only the newest one works.',
      '- For your protection, a code that was mailed for one purpose does not work for another. A withdrawal code is good for that coin, network, amount, and address only.',
      'Our emails carry the words that you chose under Security. Support never asks for a code.',
    ],
  },
  verification: {
    title: 'Verify your identity',
    body: [
      'Verification takes your name, country, document number, and photos of both sides of a passport, ID card, or driver’s license.',
      '- Photos must be JPEG, PNG, or WebP, up to 5 MB, sharp, and complete.',
      '- Your name and document number are stored encrypted. You see them masked; only a reviewer who opens your submission sees them in full, and every look is logged.',
      '- Photos are erased 180 days after the decision.',
      'Once verified, you can buy products, exchange coins, and withdraw up to 50,000 USDT in 24 hours and 750,000 USDT in 30 days. One document verifies one account, and the verified identity is final.',
    ],
  },
  'verification-rejected': {
    title: 'My verification was rejected',
    body: [
      'Open Identity verification to see the reasons. Only what was wrong has to be submitted again; the rest is kept.',
      '- You can submit again 10 minutes after a rejection, and up to five times in 24 hours.',
      '- Typical reasons are blurred or cropped photos, an expired document, or a name that differs from the document.',
      '- The same document cannot verify a second account.',
    ],
  },
  authenticator: {
    title: 'Use an authenticator app',
    body: [
      'An authenticator app protects your account even if somebody reads your email.',
      '- Open Security, choose Authenticator, scan the QR code, and enter a code of the app together with a mailed one.',
      '- Save the ten recovery codes. Each replaces the authenticator once if you lose your phone.',
      '- From then on, wherever a mailed code is required, the code of the app is required too.',
      'A code works once. If codes are refused, check that the clock of your phone is set automatically. Removing the authenticator holds withdrawals for 24 hours.',
    ],
  },
  'trade-password': {
    title: 'Trade password',
    body: [
      'The trade password is six digits. It confirms withdrawals, purchases of products, and changes to the address book. It is never asked for when you log in.',
      '- Sequences and repeated digits are refused.',
      '- If you forget it, reset it under Security with your login password and a mailed code. Withdrawals are then held for 24 hours.',
      'Spot orders do not need it, so that you can trade quickly.',
    ],
  },
  'security-holds': {
    title: 'Why are withdrawals on hold for 24 hours?',
    body: [
      'After a change that somebody who broke into an account would make first, nothing can be withdrawn for 24 hours. It gives you time to notice.',
      '- It starts when a login password or trade password is changed or reset, when the email address is changed, and when the authenticator is removed.',
      '- The withdrawal screen and the security screen count the time down.',
      '- Trading, deposits, and redemptions go on as usual. Support cannot shorten the hold.',
    ],
  },
  freeze: {
    title: 'Freeze my account',
    body: [
      'If you think that somebody else has access, freeze the account: every session ends, nobody can log in, and nothing leaves the account.',
      '- Use Security, Freeze account, or the link in any email that tells you about a change. That link works for seven days and can do nothing else.',
      '- Open orders stay as they are; products keep running.',
      '- To open the account again, write to support from your email address. We verify that it is you.',
    ],
  },
  phishing: {
    title: 'Recognize fake emails and sites',
    body: [
      '- Choose a phrase under Security. Every email we send begins with it; an email without it is not from us.',
      '- The only link in our emails freezes your account. We never link to a login page.',
      '- We never ask for passwords, codes, recovery codes, or documents by email, phone, or chat, and never ask you to move coins to a “safe” address.',
      'Withdrawals never require a tax, a deposit, or an upgrade first. Whoever says so is not us.',
    ],
  },
  deposit: {
    title: 'Deposit coins',
    body: [
      'Choose the coin, then the network that the sender uses. Both sides must name the same network.',
      '- Copy the address or scan the QR code. Your address for a network stays the same.',
      '- Where a memo is shown, enter it exactly. Without it the coins cannot be matched to you.',
      '- Send only the coin and network that the screen names.',
      'Your deposit shows up as soon as the network has it, counts its confirmations, and is credited once when it has them all. Amounts below the minimum are kept and credited together once they add up to it.',
    ],
  },
  'deposit-missing': {
    title: 'My deposit has not arrived',
    body: [
      '- Look at the deposit records: a transfer with too few confirmations is shown as pending with its count.',
      '- Check with the sender that it left, on which network, and to which address.',
      '- An amount below the minimum waits until further deposits bring it to the minimum.',
      '- If the transaction is confirmed, the address is yours, and it is not listed, write to support with the transaction ID. Never send your password or a code.',
    ],
  },
  withdraw: {
    title: 'Withdraw coins',
    body: [
      'A withdrawal needs a verified identity, your trade password, and a mailed code, plus your authenticator’s code if you use one.',
      '- The form shows the minimum, the maximum, the fee, and what arrives before you confirm.',
      '- Amounts within the automatic limit to an address in your address book leave after ten seconds. Anything else is reviewed by a person.',
      '- While a withdrawal is pending you can cancel it, and the whole amount comes back.',
      '- If one is rejected, you see the reason, and the whole amount comes back.',
      'Each withdrawal shows by when it is promised to be done. How long recent withdrawals really took is public.',
    ],
  },
  'address-book': {
    title: 'Address book and whitelist',
    body: [
      'Keep the addresses that you use, up to 50. Each is checked for its network.',
      '- Adding one takes your trade password and a mailed code. Nothing can be sent to it for the first 24 hours.',
      '- With the whitelist on, withdrawals go to kept addresses only. Turning it on works at once; turning it off takes 24 hours.',
    ],
  },
  limits: {
    title: 'Withdrawal limits',
    body: [
      'Without verification nothing can be withdrawn. Verified accounts can withdraw up to 50,000 USDT within any 24 hours and 750,000 USDT within any 30 days; other coins count at their value in USDT.',
      'Rejected, failed, and canceled withdrawals do not count. The withdrawal form shows how much of each limit you have used.',
    ],
  },
  convert: {
    title: 'Exchange coins instantly',
    body: [
      'Instant exchange gives you one coin for another at a firm quote, without an order book.',
      '- Enter either amount. The quote shows the rate, the spread, the fee, and what you receive.',
      '- A quote is firm for ten seconds. After that, request a new one; nothing moves without your confirmation.',
      '- An exchange is worth between 1 and 50,000 USDT and needs a verified identity.',
      'For large amounts, an order on the spot market is usually cheaper.',
    ],
  },
  'order-types': {
    title: 'Order types',
    body: [
      '- Limit: trades at your price or better, and waits in the order book until then.',
      '- Market: trades at once at the best prices available. A price protection stops it from sweeping an empty book.',
      '- Stop: waits out of sight until the price reaches your trigger, then places a limit or market order.',
      '- Trailing stop: its trigger follows the price at the distance you set.',
      '- OCO: a limit and a stop; when one trades, the other is canceled.',
      'Post-only orders never take liquidity: they are refused instead. IOC fills what it can at once and cancels the rest; FOK fills completely at once or not at all.',
    ],
  },
  'order-states': {
    title: 'Open, filled, and canceled orders',
    body: [
      'An order can fill in several trades. What has filled is yours at once; the rest stays open until it fills or you cancel it.',
      '- Coins behind open orders are frozen: they are yours, but cannot be used twice.',
      '- Price and amount of a limit order can be amended. A smaller amount keeps the place in the queue.',
      '- A market can be halted when its prices are unreliable. It is halted for everyone, and you can still cancel.',
      'Every trade is listed with its price, role, and fee, and can be exported as CSV.',
    ],
  },
  fees: {
    title: 'Fees',
    body: [
      'Spot fees are a share of what you receive. Makers, whose order waited in the book, pay less than takers, whose order traded at once. Your rates are shown on the order form; they fall with what you have traded in 30 days.',
      '- Depositing is free.',
      '- Withdrawing costs the network’s fee, shown before you confirm.',
      '- Instant exchange shows its fee and spread in each quote.',
      '- Products name all of their costs before you buy.',
    ],
  },
  index: {
    title: 'How the index price is made',
    body: [
      'Once a second, the index takes prices from several sources, sets aside the outdated and the far-off ones, and takes the median of the rest. Each point goes into a public price tape that is signed and cannot be changed afterwards.',
      'The seconds contract and the funds settle by this tape alone. Where too few sources are available, there is no index for that second, and nothing is settled by guesswork.',
    ],
  },
  finance: {
    title: 'Fixed-term finance',
    body: [
      'Lock an amount for a term of days and receive interest at a rate that is fixed when you buy.',
      '- Interest starts at 00:00 UTC of the next day and counts whole days.',
      '- It is paid daily or at maturity, as the product says. The principal comes back at maturity by itself.',
      '- Early withdrawal is not supported. Lock only what you can spare for the whole term.',
      'The daily and total interest and the dates are shown before you buy, and the source of the yield stands on the product.',
    ],
  },
  mining: {
    title: 'Mining pools',
    body: [
      'Lock an amount for a cycle of days and receive a daily income.',
      '- Income counts from 00:00 UTC of the next day and is credited at 00:10 UTC for the day before.',
      '- After the cycle, redeem whenever you like; the amount is available at once. It earns nothing after the cycle.',
      'A product whose rate is set by the operator rather than by a hash rate says so.',
    ],
  },
  subscription: {
    title: 'Subscribe to new coins',
    body: [
      'During a sale, commit an amount. You can raise or lower it until the end; the order of commitments does not matter.',
      '- Tokens are divided in proportion to commitments, up to the cap per person, by a published formula. You pay for what you receive; the rest comes back in the same step.',
      '- If the soft cap is missed, everything is refunded.',
      '- Tokens may be locked at first and then released over time. Claim what has been released in your records.',
      'The file of all commitments is fixed by a public hash before the allocation. In your record, “Check my allocation” recomputes your line in your browser.',
    ],
  },
  fund: {
    title: 'Leveraged funds',
    body: [
      'A fund follows a basket of coins. You buy units with a margin, from one to several times leverage.',
      '- You buy and sell at the next value after your order, so nobody can trade on a value that is already known.',
      '- At 00:00 UTC a management fee and, above leverage 1, financing are taken from the margin.',
      '- Profit and loss grow with leverage. You can lose the whole margin, never more.',
      'Before you buy, the form shows the quantity, the margin used, the liquidation price, and the daily cost.',
    ],
  },
  liquidation: {
    title: 'Liquidation of fund positions',
    body: [
      'A position with leverage is liquidated at the first value at which its equity no longer covers the maintenance margin.',
      '- We warn you in the inbox and by email when the margin ratio falls below 1.5 and again below 1.2.',
      '- Adding margin lowers the liquidation price. It cannot rescue a position after the value has been published.',
      '- A fee goes to the insurance pool, and what is left comes back to you. Your account never falls below zero.',
      'How a position ended can be recomputed by anyone from the public price tape.',
    ],
  },
  seconds: {
    title: 'Seconds contract',
    body: [
      'You choose whether the index will be above or below its entry after a fixed number of seconds.',
      '- The entry is the index at the first whole second after your order was accepted. The end is exactly the duration later; there is no early exit.',
      '- A win pays your stake and the profit shown; a loss costs the stake. If both prices are equal, or a price is missing, stake and fee are returned.',
      '- The ticket shows the win rate you need to break even. With even odds, the average result is a loss; play only with what you can lose.',
      'Set limits per position, per day, and per session, or pause. Tighter limits count at once, looser ones after 24 hours.',
    ],
  },
  'seconds-verify': {
    title: 'Verify a seconds result',
    body: [
      'Nobody, including us, can set a price or the result of a position. You can check that yourself:',
      '- Open a settled position and press Verify. Your browser recomputes the result from the frozen terms and the public price tape.',
      '- Download the proof and check it offline with the verifier that comes with our source code. It finds any change in any part.',
      'Two people with the same pair, second, and duration are always settled by the same prices.',
    ],
  },
  invite: {
    title: 'Invite friends',
    body: [
      'Share your code, link, or poster. For a year, 20% of the spot fees that your friends pay is given away: you choose how much of it they get, and the rest is yours.',
      '- Rewards are paid after 00:30 UTC for the day before, in the coin of the fee.',
      '- Only spot fees count. Deposits, stakes, and losses are never rewarded.',
      '- Accounts from your own device earn nothing.',
    ],
  },
  fairness: {
    title: 'What makes this exchange fair',
    body: [
      '- One public order book per pair, matched by price, then time.',
      '- Every movement of money is written to a double-entry ledger before anybody is told about it, and the ledger is reconciled every minute.',
      '- Prices that settle products come from a signed public tape. Anyone can recompute results.',
      '- No operator can set a price or a result, and important operations need a second person. All of them are kept in a log that cannot be changed unnoticed.',
    ],
  },
};
