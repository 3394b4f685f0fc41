import type { LegalTexts } from '../pages.ts';

export const texts: LegalTexts = {
  us: [
    'Amethyst is a cryptocurrency exchange that you do not have to take at its word. What matters here is published, signed, and built so that you can check it yourself.',

    '# How it works',
    'Each pair has one public order book. Orders are matched by price, then by time, and the exchange’s own orders follow the same rules as everyone else’s.',
    'Every movement of money passes through a single point and is written to a double-entry ledger before anyone is told about it. The ledger is reconciled every minute. Its entries are never changed or deleted.',
    'The index price is the median of several independent sources, computed every second and added to a signed public record. Funds and seconds contracts settle by this record alone.',

    '# What nobody here can do',
    '- No employee, role, or setting can set a price or the result of a trade.',
    '- If something has to be halted, it is halted publicly and for everyone.',
    '- Important operations need a second person, and everything operators do is written to a log that cannot be changed unnoticed.',
    '- No one can open your identity photos without leaving their name on the picture and in the log.',

    '# What we ask of you',
    'Keep your passwords and codes to yourself. We never ask for them by email, phone, or chat. And do not trade with money that you need.',
  ],
  legal: [
    'Please read this notice before you use Amethyst. It adds to the user agreement and to the risk disclosures of the individual products.',

    '# 1. Risk warning',
    'Crypto assets are volatile and may lose all of their value. They are not covered by deposit insurance or investor compensation.',
    'Leveraged funds multiply losses, and you can lose your whole margin. In a seconds contract, you can lose your whole stake within seconds, and at even odds the average result is a loss. Amounts in Earn and Mining are locked until the end of their term.',
    'Use only money that you can afford to lose, and seek independent advice if you are unsure.',

    '# 2. No advice',
    'Nothing on this site is investment, tax, or legal advice, or a recommendation to buy or sell. Past performance does not indicate future results.',

    '# 3. Availability by country',
    'Our services are not offered where they are prohibited, and individual products may be closed to some countries. You are responsible for knowing and following the rules that apply to you, and for your taxes.',

    '# 4. Prices and other content',
    'Prices are shown as we receive and compute them. They can be delayed, missing, or different from prices elsewhere. If too few sources are available, the index has no price for that moment, and the site shows this.',
    'Descriptions of coins and projects are provided for information. We do not verify what projects say about themselves.',
    'We are not responsible for other sites that our pages link to.',

    '# 5. Trademarks and copyright',
    'Names, symbols, and logos of coins, networks, and other companies belong to their owners. Showing them does not mean that they endorse the exchange.',
    'This site uses open-source software. Its licenses are listed in the third-party licenses below.',

    '# 6. Reporting a problem',
    'If you believe that something here is unlawful, infringes your rights, or is unsafe, write to us through Help & contact.',
  ],
  checks: {
    proofs: {
      title: 'Proof of liabilities',
      text: 'What the exchange owes its users, signed once a day, with a check that you were counted.',
    },
    sources: {
      title: 'Price sources',
      text: 'Which sources make up the index price right now, and what each one says.',
    },
    times: {
      title: 'Withdrawal times',
      text: 'How long withdrawals of the last 30 days really took.',
    },
    statistics: {
      title: 'Seconds contract statistics',
      text: 'Results by duration, the reserve, and every interval that was declared void.',
    },
    verifier: {
      title: 'Verify a result',
      text: 'How to recompute a result in your browser or offline, with a verifier that shares no code with the exchange.',
    },
  },
};
