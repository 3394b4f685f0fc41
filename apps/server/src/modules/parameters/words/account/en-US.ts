export const userAgreement = [
  'This agreement governs your use of Amethyst, the “exchange.” It is made between you and the operator named on this page (“we,” “us”). You accept it when you open an account.',
  'The privacy policy, and the agreement or risk disclosure that you accept before you buy a product, belong to it. Where a product agreement says something different about its product, the product agreement prevails.',

  '# 1. Eligibility',
  'You may open an account if you are of legal age where you live, act on your own behalf and for your own account, and are allowed to trade crypto assets by the laws that apply to you.',
  'You may not use the exchange if you are subject to sanctions, or if you live where our services are prohibited or not offered. Individual products may be closed to some countries. Where they are, the country of your verified document decides.',
  'Your account is personal. You may not sell it, lend it, or let anyone else trade with it.',

  '# 2. Your account and its security',
  'You log in with your email address, your password, and a code that we email to you. You can add an authenticator app, and we recommend that you do. A trade password confirms withdrawals, product purchases, and changes to your address book.',
  'Keep your passwords, codes, and recovery codes to yourself, and protect your email account. We never ask for any of them by email, phone, or chat.',
  'Orders and instructions given with your login and codes are treated as yours until you freeze your account or tell us that someone else may have access. This does not apply where we caused the misuse.',
  'To give you time to notice an intruder, withdrawals are on hold for 24 hours after you change or reset your login password, replace or reset your trade password, change your email address, or remove your authenticator. A new address in your address book can be used after 24 hours.',

  '# 3. Identity verification',
  'Withdrawals, conversions, and the purchase of most products require a verified identity. You submit your name, country, document number, and photos of both sides of the document.',
  'Everything you submit must be true, up to date, and your own. One document verifies one account, and a verified identity is final.',
  'If your submission is rejected, you see the reasons and can submit again, up to five times in 24 hours. If the law requires us to know more about you or about the origin of funds, we may ask you, and we may limit our services until you answer.',

  '# 4. Deposits and withdrawals',
  '- Send only the coin that is shown, on the network that is shown, and with the memo if there is one. Anything else may be lost, and we may be unable to recover it.',
  '- A deposit is credited once it has the number of confirmations shown. Amounts below the minimum wait until further deposits bring them up to it. Where a network is reviewed by hand, you report the deposit, and we credit it after checking it on the network.',
  '- Before you confirm a withdrawal, you see its minimum and maximum, the network fee, your limits, and the amount that will arrive. The amount is put on hold when you confirm.',
  '- Withdrawals within the automatic limit to an address in your address book are sent automatically. All others are reviewed. While a withdrawal is pending, you can cancel it.',
  '- A withdrawal that is canceled, rejected, or fails is returned to you in full. If it is rejected, you see the reason.',
  '- You are responsible for the address, the network, and the memo. A transfer that the network has confirmed cannot be undone.',
  '- If a network takes back a deposit that has already been credited, you owe us that amount.',

  '# 5. Orders and trades',
  'Each pair has one public order book. Orders are matched by price, then by time, and a trade happens at the price of the order that was in the book first.',
  'An order is binding once it has been accepted. Until it is filled, you can change or cancel it. Fills are final. An order that exceeds a limit, such as your available balance or the distance from the index price, is rejected with the reason, and nothing is put on hold.',
  'A market order is protected against prices far from the market; what cannot be filled within that protection is canceled. Stops, trailing stops, and attached exits become ordinary orders when the market reaches their trigger. They may then fill at a price other than the trigger, or not at all.',
  'We may place orders of our own to provide liquidity. They follow the same rules as yours and have no priority over them.',

  '# 6. Products',
  'Before you buy a product, you see its terms and costs and, where there is one, the agreement or risk disclosure that you must accept. The terms of what you hold are fixed when you buy. Later changes apply to new purchases only.',
  '- Seconds contract: a position on whether the index price will be above or below its entry price after a fixed number of seconds. It cannot be closed early. You can lose your whole stake and the fee within seconds, and at even odds the average result is a loss. It is not offered in every country.',
  '- Earn: an amount is locked for a fixed term and earns interest at a fixed rate. Early redemption is not supported. It is not a bank deposit.',
  '- Mining: an amount is locked for a cycle and earns daily income at a fixed rate. You redeem it after the cycle, not before. Where the operator sets the rate, the product says so.',
  '- Leveraged funds: you buy units of a basket of coins with a margin. Leverage multiplies gains and losses. A position whose margin no longer suffices is liquidated at the published unit value. You can lose your whole margin, but never more.',
  '- Launchpad: you commit an amount to the sale of a new token. Tokens are allocated by a published formula, and what they do not cost is refunded. A new token may lose all of its value.',
  '- Convert: you swap one coin for another at a firm quote that shows the rate, the spread, and the fee. It is valid for ten seconds, and accepting it is final.',

  '# 7. Fees and rewards',
  'Fees are shown before you confirm. Spot fees are deducted from what you receive. Your rate depends on whether your order was in the book (maker) or filled right away (taker), and on your volume over the last 30 days. An order keeps the rates it was placed with.',
  'We charge nothing for deposits. A withdrawal costs the network fee shown in the form, a conversion its spread and fee, a seconds contract its fee, and a fund the costs listed on its page. Changes apply to later orders and purchases only.',
  'Invitation rewards are a share of the spot fees that the people you invited pay within 365 days of signing up. They are paid out of fees that were actually collected. Accounts on your own device earn you nothing.',

  '# 8. Market halts, errors, and corrections',
  'We may halt a pair if its prices are unreliable, for maintenance, or if the law requires it. A halt applies to everyone, including our own orders. Depending on the halt, open orders can still be canceled, or they stay exactly as they are until it ends.',
  'No employee, role, or setting can set a price or the result of a trade. The prices that settle products come from a signed public record. If an interval of that record is declared void, this is published with the reason, and open seconds contracts that it affects are returned with stake and fee.',
  'The ledger is reconciled every minute. If a discrepancy is found in a coin, movements of that coin stop until it is resolved.',
  'Completed trades are not reversed. Ledger entries are never changed or deleted: a correction is a new entry that you can see in your statement. If you receive an amount by obvious mistake, you must return it.',

  '# 9. Your balances',
  'Your balances are what we owe you, coin by coin. Every movement is recorded in a double-entry ledger before anyone is told about it.',
  'Once a day, a signed proof of liabilities is published, and you can check that your balances were counted. To protect your privacy, your balances are divided at random among four anonymous leaves. The proof shows what we owe. What we hold is shown beside it as far as it can be read from a connected chain.',
  'Balances are not bank deposits, do not earn interest by themselves, and are not covered by deposit insurance.',

  '# 10. Prohibited use',
  'You may not use the exchange to:',
  '- commit fraud, launder money, finance terrorism, or breach sanctions;',
  '- manipulate prices, for example with trades between your own accounts or with orders that are not meant to be filled;',
  '- use another person’s identity or funds, or conceal who you are;',
  '- get around limits, or obtain rewards, with several accounts;',
  '- attack or overload our systems, or exploit a flaw instead of reporting it to us.',
  'Automated access through the published interface is allowed within its limits.',

  '# 11. Freezing and closing an account',
  'You can freeze your account at any time in the security settings, or with the link in our emails about changes to your account. All sessions end, no one can log in, and nothing can leave the account. Open orders stay as they are, and products keep running. We unfreeze the account after verifying that it is you.',
  'We may freeze an account, stop its purchases, or hold its withdrawals if we have reason to believe that someone else has access to it or that this agreement has been breached, or if the law requires it. The reason is recorded, and unfreezing takes two people. While only purchases are stopped, you can still sell, cancel, and redeem.',
  'You may close your account at any time by writing to us, provided it has no balance, no open orders, and no running products. We may end this agreement with reasonable notice. Unless the law forbids it, you can then sell and withdraw what you hold.',

  '# 12. Risks',
  'Crypto assets are volatile and can lose all of their value. Markets can become illiquid, networks can fail or split, and rules can change. Leverage and short durations increase the risk of losing everything you put in.',
  'Nothing that we publish is investment advice. Do not use money that you need.',

  '# 13. Availability',
  'We do not guarantee that the exchange is available at all times. Maintenance, and failures of networks, chains, or providers, can delay orders, deposits, and withdrawals.',
  'If an answer does not reach you, check your orders and records before you try again. We may change or discontinue features and products. What you hold in them is then settled under its terms.',

  '# 14. Liability and complaints',
  'We are liable for intent and gross negligence, and wherever the law does not allow liability to be limited. Otherwise, we are not liable for losses that arise from market movements, from networks or providers beyond our control, or from access that you gave to others.',
  'If something went wrong, write to us through Help & contact with your UID and the ID of the order or transfer. We answer in writing. The answer appears on that page and reaches your inbox and your email. You remain free to turn to the competent authority or court.',

  '# 15. Changes to this agreement',
  'Each change to this agreement gets a new version and a date. Which version you accepted, when, and in which language is kept with your account and is never changed.',
  'When there is a new version, you are told in your inbox the next time you log in. If you do not agree to it, you may close your account. What you already hold keeps the terms under which you bought it.',
  'All language versions are intended to say the same. If they differ, the language in which you accepted applies.',

  '# 16. Governing law and contact',
  'This agreement is governed by the law named on this page or, if none is named, by the law that applies by statute. Consumer protection that you cannot waive where you live remains unaffected.',
  'You can reach us through Help & contact, and by email if a support address is named on this page.',
];

export const privacyPolicy = [
  'This policy explains which personal data Amethyst processes, why, for how long, and who can see it. We show no ads, we do not track you, and we do not sell your data.',

  '# 1. Who is responsible',
  'The operator named on this page is responsible for your data. You can reach the operator through Help & contact, and by email if a support address is named on this page.',

  '# 2. What we collect',
  '- Account: your email address and language, the invitation code you used, and your nickname, remark, and profile picture if you set them.',
  '- Credentials: hashes of your passwords and codes, never the originals, and the encrypted key of your authenticator.',
  '- Logins and devices: the time, IP address, and type of browser of each login and security event, and a hash by which we recognize a device.',
  '- Identity: your name, country, document number, and photos of both sides of your document. Location, device, and other metadata are removed from every picture you upload.',
  '- Money: your orders, trades, deposits, withdrawals, saved addresses, pictures attached to deposit reports, product holdings, balances, and every ledger entry behind them.',
  '- Communication: what you write to customer service and our answers, the messages we sent you, your message settings, your watchlist, and your price alerts.',
  '- Agreements: which versions you accepted, when, and in which language.',
  'We do not collect your location or your contacts, and we do not buy data about you.',

  '# 3. Why we use it',
  '- To run your account, to execute your orders and transfers, and to answer you: this is what you have agreed with us.',
  '- To protect your account and the exchange: we recognize new devices, limit failed attempts, and put withdrawals on hold after security changes. This is in your interest and ours.',
  '- To meet legal obligations, such as verifying identities and keeping books.',
  'We do not use your data for advertising.',

  '# 4. Who can see it',
  '- Our employees, as far as their role requires. Every look at a person’s data is written to an audit log that cannot be changed unnoticed.',
  '- Identity reviewers. They see a photo only through a link that works once, within five minutes, for the reviewer who opened it. The reviewer’s name and the time are marked on the picture.',
  '- Providers that run our servers and storage and deliver our emails. Pictures are encrypted before they are stored.',
  '- The live chat, if this site has one. It runs on a site of its own. Where it is told who you are, it receives your UID, signed for five minutes, and never your session. What you write there is subject to its provider’s policy.',
  '- Everyone, as far as a transfer appears on a public blockchain: its address, amount, and memo.',
  '- The person who invited you, who sees a masked number, whether you are verified, and the rewards your spot fees brought.',
  '- Authorities, where the law obliges us.',

  '# 5. Where it is stored, and how it is protected',
  'Your data is stored on servers of the operator and its providers. Ask us if you want to know in which countries they are.',
  'Names, document numbers, and pictures are encrypted, each picture under a key of its own. Passwords are stored as hashes that are worth nothing without a key that is kept outside the database. Outside a demo, all connections to the exchange are encrypted.',
  'Backups do not contain the keys that open encrypted data.',

  '# 6. How long we keep it',
  '- Photos of identity documents are erased 180 days after the decision. Uploads that were never used are erased after 24 hours. Pictures that you attach to a deposit report are kept with it.',
  '- Your name and document number are kept as long as your account exists and as the law requires.',
  '- Sessions are deleted 60 days after they end. Your login and security history stays with your account. Failed logins to addresses without an account are deleted after 30 days.',
  '- Outside a demo, the text of an email is deleted once it has been sent. The record that it was sent is deleted after 30 days.',
  '- Requests to customer service are deleted one year after they were decided. Messages in your inbox are kept until you delete them.',
  '- Price alerts that have ended are deleted after 30 days, and the daily values of your portfolio after 100 days.',
  '- Orders, trades, ledger entries, accepted agreement versions, and the audit log cannot be deleted. Your balance rests on them, and they are what makes it checkable.',
  'Data that was deleted may remain in backups until those backups are removed.',

  '# 7. What your browser stores',
  '- Your session, while you are logged in.',
  '- Your language and the email address that was last used to log in, which remain after you log out so that the form is filled in.',
  '- Display settings: colors, whether balances are shown, layout, chart settings and drawings, favorite pairs, and banners you closed.',
  '- One cookie, only if you switch between the desktop and the mobile site. It remembers your choice for a year.',
  '- The pages themselves, so that they open quickly.',
  'Your name, your document number, and your photos are never stored in the browser. We use no tracking cookies and no analytics, and you can delete everything in your browser’s settings.',

  '# 8. What is public',
  '- Order books and trades show prices, amounts, and times, but never who traded.',
  '- The proof of liabilities consists of anonymous leaves. Your balances are divided at random among four of them, and only you are given what connects them to you.',
  '- Settled seconds contracts, how fund positions ended, and the files of Launchpad sales are published without their owners, so that anyone can recompute the results.',

  '# 9. Automated decisions',
  'Some decisions are made automatically: delays after failed attempts, holds after security changes, sending withdrawals within the automatic limit, and liquidations. They follow rules that are the same for everyone. Outside a demo, people decide on identity verification and on all other withdrawals.',

  '# 10. Your rights',
  'Depending on the law that applies to you, you may request access, correction, deletion, restriction, or a portable copy, object to processing, and complain to a supervisory authority.',
  '- You can export your orders, trades, and movements as CSV files at any time. For anything else, write to us.',
  '- We delete what we do not have to keep. Entries that cannot be deleted are named in section 6.',
  'We answer once we have verified that the request comes from you.',

  '# 11. Children',
  'The exchange is for people of legal age. If you believe that a minor has opened an account, tell us. We will close it and delete what can be deleted.',

  '# 12. Changes to this policy',
  'Each change to this policy gets a new version and a date. When there is a new version, you are told in your inbox the next time you log in.',

  '# 13. Contact',
  'Write to us through Help & contact, or to the support address if one is named on this page.',
];
