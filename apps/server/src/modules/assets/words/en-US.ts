import type { AssetCode } from '@exchange/core/pair.ts';
import type { CoinWords } from './shape.ts';

export const enUS: Readonly<Record<AssetCode, CoinWords>> = {
  USDT: {
    description:
      'Tether is a token whose issuer, a company of the same name, aims to keep its value at one US dollar and holds reserves for that purpose. It exists on several networks, including Ethereum and Tron. Tokens are issued against deposits and destroyed when redeemed, so there is no fixed supply. Its value depends on the issuer and its reserves.',
    consensus: 'None of its own; it follows the network that a token is on',
  },
  BTC: {
    description:
      'Bitcoin was the first cryptocurrency: electronic money that moves between its users without a bank. Miners collect payments into blocks, about one every ten minutes. The reward for a block halves roughly every four years until 21 million coins exist.',
    consensus: 'Proof of work (SHA-256)',
  },
  ETH: {
    description:
      'Ether is the coin of Ethereum, a network that moves payments and also runs programs called smart contracts. Network fees are paid in ether, and part of each fee is destroyed. In 2022, the network switched from miners to validators, who lock up ether as security.',
    consensus: 'Proof of stake since 2022; proof of work before that',
  },
  EOS: {
    description:
      'EOS is a network for smart contracts in which a small number of block producers, elected by holders of the coin, take turns. Accounts have readable names, and using the network takes rented resources instead of a fee per transaction. In 2025, the network was renamed Vaulta and introduced a successor coin.',
    consensus: 'Delegated proof of stake',
  },
  LTC: {
    description:
      'Litecoin began as a variant of the Bitcoin software for everyday payments. A new block comes about every two and a half minutes, four times as often as with Bitcoin, and there will be four times as many coins. It is mined with a different algorithm.',
    consensus: 'Proof of work (Scrypt)',
  },
  XRP: {
    description:
      'XRP is the coin of the XRP Ledger, a network built for payments that are final within a few seconds. All 100 billion coins were created at the start. None are mined, and each transaction destroys a small amount as its fee. A large share was given to the company Ripple, which holds much of it in escrow.',
    consensus: 'Agreement among trusted validators (XRP Ledger Consensus Protocol)',
  },
  ADA: {
    description:
      'Ada is the coin of Cardano, a network for payments and smart contracts whose design is published in research papers and reviewed before it is built. Holders can delegate their coins to a stake pool and share in its rewards while the coins stay in their wallets. At most 45 billion will exist.',
    consensus: 'Proof of stake (Ouroboros)',
  },
  DOGE: {
    description:
      'Dogecoin began as a joke about a picture of a dog and became widely used for tips and small payments. A new block comes about once a minute, and blocks can be mined together with Litecoin. About five billion new coins are created each year, with no upper limit.',
    consensus: 'Proof of work (Scrypt), mined together with Litecoin',
  },
  SHIB: {
    description:
      'Shiba Inu is a token on Ethereum that was launched anonymously and named after a breed of dog. One quadrillion tokens were created at the start, and more than 400 trillion of them have since been sent to an address that no one can spend from. Other community projects, such as the Shibarium network, use it, too.',
    consensus: 'None of its own; a token on Ethereum (proof of stake)',
  },
};
