import type { Articles } from '../articles.ts';

export const articles: Articles = {
  'sign-up': {
    title: 'Create an account',
    body: [
      'All you need is an email address and about a minute.',
      '- Enter your email, request a code, and type the six digits we send you.',
      '- Choose a password of 8 to 64 characters that starts with a letter and contains a digit. Common and leaked passwords, and passwords that contain the name in your email address, are rejected.',
      '- If someone invited you, enter their invitation code now. It cannot be added later.',
      'You are logged in right away. You can look around and trade without verifying your identity; buying products, converting, and withdrawing require it.',
    ],
  },
  'mailed-codes': {
    title: 'I did not receive an email code',
    body: [
      'Codes usually arrive within seconds. If yours has not:',
      '- Check your spam folder and the spelling of your address.',
      '- Wait for the countdown on the button to end, then request another code. Only the newest code works.',
      '- For your protection, each code works for one purpose only. A withdrawal code is valid only for that coin, network, amount, and address.',
      'If you set an anti-phishing phrase under Security, every email from us shows it. Support never asks for a code.',
    ],
  },
  verification: {
    title: 'Verify your identity',
    body: [
      'You need your name, country, document number, and photos of both sides of a passport, ID card, or driver’s license.',
      '- Photos must be JPEG, PNG, or WebP, in focus, and show the whole document. Large photos are made smaller before they are sent.',
      '- Your name and document number are stored encrypted and shown to you masked. Only a reviewer who opens your submission sees them in full, and every view is logged.',
      '- Photos are erased 180 days after the decision.',
      'Once verified, you can buy products, convert, and withdraw up to 50,000 USDT in 24 hours and 750,000 USDT in 30 days. One document verifies one account, and a verified identity cannot be changed.',
    ],
  },
  'verification-rejected': {
    title: 'My verification was rejected',
    body: [
      'Open Identity verification to see the reasons. You only resubmit what was wrong; everything else is kept.',
      '- You can submit again 10 minutes after a rejection, up to five times in 24 hours.',
      '- The most common reasons are blurred or cropped photos, an expired document, and a name that differs from the document.',
      '- A document that verified one account cannot verify another.',
    ],
  },
  authenticator: {
    title: 'Use an authenticator app',
    body: [
      'An authenticator app protects your account even if someone can read your email.',
      '- Open Security, choose Authenticator app, scan the QR code, and enter a code from the app together with an email code.',
      '- Save your ten recovery codes. If you lose your phone, each one replaces the app once.',
      '- From then on, wherever an email code is required, a code from the app is required, too.',
      'Each code works once. If codes are rejected, make sure your phone sets its clock automatically. Removing the authenticator puts withdrawals on hold for 24 hours.',
    ],
  },
  passkeys: {
    title: 'Passkeys',
    body: [
      'A passkey stays on your phone, computer, security key, or in your password manager. You use it with your fingerprint, face, or PIN, and nobody can phish it.',
      '- Add passkeys in the security center, up to 10. Your other devices are logged out, and withdrawals are put on hold for 24 hours, so that you have time to react if it was not you.',
      '- Log in with a passkey alone, or confirm actions with it instead of email and authenticator codes.',
      '- If you lose a device, log in on another one with your password and codes, and remove its passkey. Removing a passkey also puts withdrawals on hold for 24 hours.',
      'Logging in with email address, code, and password always remains possible. Customer service can only remove passkeys, never add one.',
    ],
  },
  'trade-password': {
    title: 'Trade password',
    body: [
      'Your trade password is six digits. It confirms withdrawals, product purchases, and changes to your address book. You never need it to log in.',
      '- Sequences and repeated digits are rejected.',
      '- If you forget it, reset it under Security with your login password and an email code. Withdrawals are then on hold for 24 hours.',
      'Spot orders do not ask for it, so you can trade quickly.',
    ],
  },
  'security-holds': {
    title: 'Why are withdrawals on hold for 24 hours?',
    body: [
      'Some changes are the first thing an intruder would make. After one of them, withdrawals are on hold for 24 hours, so that you have time to notice.',
      '- The hold starts when you change or reset your login password or trade password, change your email address, or remove your authenticator.',
      '- The Withdraw and Security pages show how much time is left.',
      '- Trading, deposits, and redemptions continue as usual. Support cannot shorten the hold.',
    ],
  },
  freeze: {
    title: 'Freeze your account',
    body: [
      'If you think someone else has access, freeze your account. All sessions end, no one can log in, and nothing can leave the account.',
      '- Go to Security, then Freeze account, or use the link in any email about a change to your account. The link works for seven days and can do nothing else.',
      '- Open orders stay as they are, and products keep running.',
      '- To unfreeze your account, write to support from your email address. We will verify that it is you.',
    ],
  },
  phishing: {
    title: 'Recognize fake emails and websites',
    body: [
      '- Set an anti-phishing phrase under Security. Every email from us starts with it; an email without it is not from us.',
      '- The only link in our emails freezes your account. We never link to a login page.',
      '- We never ask for passwords, codes, recovery codes, or documents by email, phone, or chat, and we never ask you to move coins to a “safe” address.',
      'You never have to pay a tax, make a deposit, or upgrade your account before you can withdraw. Anyone who says so is not us.',
    ],
  },
  'api-keys': {
    title: 'API keys for bots and programs',
    body: [
      'With an API key, a program such as a trading bot reads your account or trades for you. Create keys under Security, API keys.',
      '- The API speaks the format of Binance’s spot API. In a tool that supports it, replace the base address with the address of this site.',
      '- Requests are signed with the secret of the key (HMAC) or with your own Ed25519 key pair. The secret is shown only once, so save it in your program right away.',
      '- A key can read, and if you allow it, place, change, and cancel spot orders. No key can withdraw, transfer, or convert.',
      '- Limit the key to the IP addresses of your program if you can, at most 20, and choose how long it is valid. You can have up to 30 keys; expired ones do not count.',
      '- Under each key you see its last 1,000 requests with their results and response times, and the request weight of the last minute.',
      'We email you when a key is created and when it is used from a new address. If this was not you, revoke the key: its programs stop at once, and open orders stay. A key of a frozen account does not work.',
    ],
  },
  deposit: {
    title: 'Deposit coins',
    body: [
      'Choose the coin, then the network the sender uses. Both sides must use the same network.',
      '- Copy the address or scan the QR code. Your address on a network stays the same.',
      '- If a memo is shown, include it exactly as shown. Without it, we cannot match the coins to you.',
      '- Send only the coin named on the page, on the network named there.',
      'Your deposit appears as soon as the network sees it, and is credited once it has all its confirmations. Amounts below the minimum are kept and credited together once they reach it.',
    ],
  },
  'deposit-missing': {
    title: 'My deposit has not arrived',
    body: [
      '- Check your deposit history: a deposit that needs more confirmations is shown as pending, with its count.',
      '- Ask the sender whether it was sent, on which network, and to which address.',
      '- An amount below the minimum waits until further deposits bring it up to the minimum.',
      '- If the transaction is confirmed and went to your address, but is not listed, contact support with the transaction ID. Never send your password or a code.',
    ],
  },
  withdraw: {
    title: 'Withdraw coins',
    body: [
      'To withdraw, you need a verified identity, your trade password, an email code, and, if you use one, a code from your authenticator app.',
      '- The form shows the minimum, the maximum, the fee, and the amount that arrives before you confirm.',
      '- Withdrawals within the automatic limit to an address in your address book are sent after ten seconds. All others are reviewed by a person.',
      '- While a withdrawal is pending, you can cancel it and get the full amount back.',
      '- If a withdrawal is rejected, you see the reason and get the full amount back.',
      'Each withdrawal shows when it is due. How long recent withdrawals really took is public.',
    ],
  },
  'address-book': {
    title: 'Address book and withdrawal whitelist',
    body: [
      'Save up to 50 addresses that you use. Each one is checked against its network.',
      '- Adding an address takes your trade password and an email code. You cannot withdraw to it for the first 24 hours.',
      '- With the whitelist on, you can withdraw only to saved addresses. It turns on right away; turning it off takes 24 hours.',
    ],
  },
  limits: {
    title: 'Withdrawal limits',
    body: [
      'Withdrawals require a verified identity. Once verified, you can withdraw up to 50,000 USDT in any 24 hours and 750,000 USDT in any 30 days. Other coins count at their value in USDT.',
      'You can request up to 20 withdrawals in any 24 hours, at least 5 seconds apart. Canceled and rejected ones count as requests too.',
      'Rejected, failed, and canceled withdrawals do not count toward the amounts. The withdrawal form shows how much of each limit you have used.',
    ],
  },
  convert: {
    title: 'Convert coins',
    body: [
      'Convert swaps one coin for another at a firm quote, without an order book.',
      '- Enter either amount. The quote shows the rate, the spread, the fee, and what you receive.',
      '- A quote is valid for ten seconds. After that, get a new one. Nothing moves until you confirm.',
      '- You can convert between 1 and 50,000 USDT worth at a time. A verified identity is required.',
      'For large amounts, a spot order is usually cheaper.',
    ],
  },
  recurring: {
    title: 'Recurring buys',
    body: [
      'A recurring buy spends a fixed amount every day, week or month on one coin or up to 8 coins. Each buy is a conversion at the rate, spread and fee of that moment, paid from your spot balance.',
      '- You choose the day, the time and the time zone. In a shorter month, a buy on the 29th, 30th or 31st is made on the last day.',
      '- A buy is skipped, and you get a message, when your balance is too low, a coin is halted, or your account may not buy. If one coin of several is halted, the others are still bought.',
      '- After an outage, the latest missed buy is made if it is at most 6 hours late. Earlier ones are not made up for.',
      '- You can have 10 recurring buys at a time, and pause, resume or end each of them. A verified identity is required.',
      'For each coin you see the average price beside that of your first buy, and how much more or less a single buy would have brought.',
    ],
  },
  'small-balances': {
    title: 'Convert small balances',
    body: [
      'Balances worth up to 10 USDT each can be turned into USDT, BTC or ETH together.',
      '- Choose up to 20 coins. One quote, valid for ten seconds, shows what each brings, and the fee of all in one line.',
      '- The whole available spot balance of each chosen coin is converted.',
      '- You can do this 3 times a day, counted in UTC. A verified identity is required.',
    ],
  },
  'tax-report': {
    title: 'Tax report',
    body: [
      'The report shows a calendar year, in UTC or in the time zone that you choose: realised gains by coin, income, and results of products, in USDT. You find it on your assets page.',
      '- Choose first in, first out or average cost. The profit on your assets page is by average cost and uses the same figures.',
      '- Interest, mining income and rebates count at their price when you received them. If the exchange has stored no price for that minute, the value is missing, and the report says so.',
      '- Losses of seconds contracts and leveraged funds have sections of their own.',
      '- The exchange does not know what coins cost that you deposited. You can enter cost and time for up to 5000 transfers. All years are then counted again.',
      '- Your sub-accounts are included. Coins that you move between your accounts keep their cost and date.',
      '- Each disposal shows its lots with the records they come from. Files with disposals, with totals, and for Koinly, CoinTracking and CoinLedger can be downloaded.',
      'The report is not tax or legal advice. Withdrawals have no gain; the coins take their cost along.',
    ],
  },
  'order-types': {
    title: 'Order types',
    body: [
      '- Limit: fills at your price or better, and waits in the order book until it does.',
      '- Market: fills right away at the best available prices. Price protection keeps it from sweeping a thin book.',
      '- Stop: waits outside the book until the price reaches your trigger, then places a limit or market order.',
      '- Trailing stop: the trigger follows the price at the distance you set.',
      '- OCO: a limit order and a stop together. When one trades, the other is canceled.',
      'A post-only order never fills right away; if it would, it is rejected. IOC fills what it can right away and cancels the rest. FOK fills completely right away, or not at all.',
    ],
  },
  'order-states': {
    title: 'Open, filled, and canceled orders',
    body: [
      'An order can fill in several trades. What has filled is yours right away; the rest stays open until it fills or you cancel it.',
      '- Coins behind open orders are on hold: they are yours, but cannot be used twice.',
      '- You can edit the price and amount of a limit order. If you only lower the amount, the order keeps its place in the queue.',
      '- A market may be halted when its prices are unreliable. A halt applies to everyone, and you can still cancel.',
      'Every trade is listed with its price, role, and fee. You can export the list as a CSV file.',
    ],
  },
  fees: {
    title: 'Fees',
    body: [
      'Spot fees are deducted from what you receive. At the lowest tier, makers, whose orders waited in the book, pay {{maker}}, and takers, whose orders filled right away, pay {{taker}}. Both rates fall as your 30-day volume grows, to {{makerLeast}} and {{takerLeast}} at the highest tier. The order form shows your own rates.',
      '- Deposits are free.',
      '- Withdrawals cost a fixed fee for each coin and network, shown before you confirm.',
      '- Convert shows the fee and the spread in each quote.',
      '- Products show all of their costs before you buy.',
    ],
  },
  index: {
    title: 'How the index price is calculated',
    body: [
      'Every second, the index collects prices from several sources, discards stale prices and outliers, and takes the median of the rest. Each result is added to a public price record that is signed and cannot be changed afterward.',
      'Seconds contracts and funds settle by this record alone. If too few sources are available, there is no index price for that second, and nothing is settled by guesswork.',
    ],
  },
  finance: {
    title: 'How Earn works',
    body: [
      'Lock an amount for a fixed number of days and receive interest at a rate that is fixed when you buy.',
      '- Interest starts at 00:00 UTC on the next day and accrues for whole days.',
      '- It is paid daily or at maturity, depending on the product. Your principal is returned at maturity.',
      '- Early withdrawal is not supported. Lock only what you can do without for the full term.',
      'Before you buy, you see the daily and total interest, the dates, and where the yield comes from.',
    ],
  },
  mining: {
    title: 'How Mining works',
    body: [
      'Lock an amount for a cycle of whole days and receive daily income.',
      '- Income starts at 00:00 UTC on the next day. Each day’s income is credited at 00:10 UTC on the following day.',
      '- Once the cycle ends, you can redeem at any time, and the amount is available right away. It earns nothing after the cycle.',
      'If a product’s rate is set by the operator rather than by a hash rate, the product says so.',
    ],
  },
  subscription: {
    title: 'How Launchpad sales work',
    body: [
      'Commit an amount during the sale. You can raise or lower it until the sale ends; committing early gives no advantage.',
      '- Tokens are allocated in proportion to commitments, up to the cap per person, by a published formula. You pay only for the tokens you receive, and the rest is refunded in the same step.',
      '- If the soft cap is not reached, everyone gets a full refund.',
      '- Tokens may be locked at first and then released over time. Claim released tokens in your records.',
      'Before the allocation, the file of all commitments is fixed by a public hash. In your record, “Check my allocation” recomputes your share in your browser.',
    ],
  },
  fund: {
    title: 'How Funds work',
    body: [
      'A fund tracks a basket of coins. You buy units with a margin, with or without leverage.',
      '- You buy and sell at the next unit value after your order, so no one can trade on a value that is already known.',
      '- At 00:00 UTC, a management fee and, with leverage above 1, a financing fee are deducted from your margin.',
      '- Leverage multiplies both profit and loss. You can lose your whole margin, but never more.',
      'Before you buy, the form shows the quantity, the margin used, the liquidation price, and the daily cost.',
    ],
  },
  liquidation: {
    title: 'Liquidation of fund positions',
    body: [
      'A leveraged position is liquidated at the first unit value at which its equity no longer covers the maintenance margin.',
      '- We warn you in your inbox and by email when the margin ratio falls below 1.5, and again below 1.2.',
      '- Adding margin lowers the liquidation price. It cannot save a position once the value has been published.',
      '- A fee goes to the insurance fund, and whatever is left is returned to you. Your account never falls below zero.',
      'Anyone can recompute how a position ended from the public price record.',
    ],
  },
  seconds: {
    title: 'How the seconds contract works',
    body: [
      'You choose whether the index price will be above or below its entry price after a fixed number of seconds.',
      '- The entry price is the index price at the first whole second after your order is accepted. The position expires exactly one duration later and cannot be closed early.',
      '- A win returns your stake plus the profit shown; a loss costs you the stake. If both prices are equal, or a price is missing, your stake and fee are returned.',
      '- The order form shows the win rate you need to break even. At even odds, the average result is a loss, so stake only what you can afford to lose.',
      'You can set limits per position, per day, and per session, or take a pause. Tighter limits apply immediately, looser ones after 24 hours.',
    ],
  },
  'seconds-verify': {
    title: 'Verify a seconds contract result',
    body: [
      'No one, including us, can set a price or the result of a position. You can check that yourself:',
      '- Open a settled position and press Verify. Your browser recomputes the result from the fixed terms and the public price record.',
      '- Download the proof and check it offline with the verifier that is linked below the result. It detects any change to any part.',
      'Positions with the same pair, second, and duration always settle at the same prices, whoever holds them.',
    ],
  },
  'price-alerts': {
    title: 'Price alerts',
    body: [
      'An alert watches a pair for you, also while the site is closed. You can have 20 active alerts, once only or repeating.',
      '- Price: triggers when the last price or the index price reaches your price, or moves by a percentage from where it was when you set the alert.',
      '- Move within a time: triggers when the price rises or falls by a percentage within the time you choose, at most 24 hours.',
      '- Moving average: triggers when a candle closes on the other side of its average. Only closed candles count, so it cannot trigger and then turn out wrong.',
      '- Place an order: an alert can place a limit or market order that you confirm when you set it. Nothing is reserved until the alert triggers. If the balance is too small then, the pair does not trade, or more than 5 minutes pass, the order is not placed and you get a message.',
      'You choose for each alert whether it also sends an email. An alert with an order triggers once.',
    ],
  },
  push: {
    title: 'Push notifications',
    body: [
      'A browser can show notifications while the site is closed: order fills, price alerts, results of the seconds contract, deposits, withdrawals, logins and security, and liquidation warnings.',
      '- Turn them on under Messages, then Message settings, on each device. Your browser asks for permission. You choose the kinds for each device, for up to 10 devices.',
      '- On an iPhone or iPad, add the site to the Home Screen first and open it from there.',
      '- During quiet hours, notifications wait. At the end they arrive as one, and all of them are in your inbox if it is on for their topic.',
      '- A device stops when you log out on it, when its session expires, or when you change your password. It starts again by itself when you log in there again.',
      '- If your browser blocks notifications, allow them for this site in the browser’s settings and reload the page.',
      'The notification service of your browser learns that we sent something and when, but not what: the device fetches the text from us. For this we store the address that your browser received from that service, encrypted, until the device stops.',
    ],
  },
  invite: {
    title: 'Invite friends',
    body: [
      'Share your code, link, or poster. For a year, 20% of the spot trading fees your friends pay is shared: you choose how much goes back to them, and the rest is yours.',
      '- Rewards are paid after 00:30 UTC for the previous day, in the coin of the fee.',
      '- Only spot trading fees count. Deposits, stakes, and losses are never rewarded.',
      '- Accounts created on your own device earn you nothing.',
    ],
  },
  fairness: {
    title: 'Why you can trust this exchange',
    body: [
      '- Each pair has one public order book, matched by price, then time.',
      '- Every movement of money is written to a double-entry ledger before anyone is told about it, and the ledger is reconciled every minute.',
      '- The prices that settle products come from a signed public record, and anyone can recompute the results.',
      '- No operator can set a price or a result. Important operations need a second person, and all of them are kept in a log that cannot be changed unnoticed.',
    ],
  },
};
