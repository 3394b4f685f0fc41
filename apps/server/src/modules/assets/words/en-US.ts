import type { AssetCode } from '@exchange/core/pair.ts';
import type { CoinWords } from './shape.ts';

export const enUS: Readonly<Record<AssetCode, CoinWords>> = {
  USDT: {
    description:
      'Tether is a token whose issuer, a company of the same name, aims to keep it at the value of one US dollar and holds reserves for that. It exists on several networks, among them Ethereum and Tron. New tokens are issued against deposits and destroyed when they are redeemed, so there is no fixed supply. Its value depends on the issuer and its reserves.',
    consensus: 'None of its own: the rules of the network on which a token lies',
  },
  BTC: {
    description:
      'Bitcoin was the first cryptocurrency: electronic money that moves between its users without a bank. Miners gather payments into blocks, about one every ten minutes. The reward for a block halves roughly every four years until 21 million coins exist.',
    consensus: 'Proof of work (SHA-256)',
  },
  ETH: {
    description:
      'Ether is the coin of Ethereum, a network that runs programs, called smart contracts, besides moving payments. Fees for using the network are paid in ether, and a part of each fee is destroyed. In 2022 the network changed from miners to validators who lock up ether as security.',
    consensus: 'Proof of stake since 2022, proof of work before',
  },
  EOS: {
    description:
      'EOS is a network for smart contracts in which a small number of block producers, elected by holders of the coin, take turns. Accounts have readable names, and using the network takes up rented resources instead of a fee per transaction. In 2025 the network took the name Vaulta and introduced a successor coin.',
    consensus: 'Delegated proof of stake',
  },
  LTC: {
    description:
      'Litecoin began as a variation of the Bitcoin program for everyday payments. Its blocks come about every two and a half minutes, four times as often, and it will have four times as many coins. It is mined with another algorithm than Bitcoin.',
    consensus: 'Proof of work (Scrypt)',
  },
  XRP: {
    description:
      'XRP is the coin of the XRP Ledger, a network made for payments that are final within a few seconds. All 100 billion coins were created at the beginning; none are mined, and each transaction destroys a small amount as its fee. A large part was given to the company Ripple, which holds much of it in escrow.',
    consensus: 'Agreement among trusted validators (XRP Ledger Consensus Protocol)',
  },
  ADA: {
    description:
      'Ada is the coin of Cardano, a network for payments and smart contracts whose design is published as research papers and reviewed before it is built. Holders can delegate their coins to a stake pool and share in its rewards while the coins stay in their wallet. At most 45 billion will exist.',
    consensus: 'Proof of stake (Ouroboros)',
  },
  DOGE: {
    description:
      'Dogecoin began as a joke about a picture of a dog and became a widely used coin for tips and small payments. Its blocks come about once a minute and can be mined together with Litecoin. About five billion new coins are made each year, without an upper limit.',
    consensus: 'Proof of work (Scrypt), mined together with Litecoin',
  },
  SHIB: {
    description:
      'Shiba Inu is a token on Ethereum that was started anonymously and named after a breed of dog. One quadrillion tokens were created at the beginning; more than 400 trillion of them have since been sent to an address from which nobody can spend. Other projects of its community, such as the network Shibarium, use it too.',
    consensus: 'None of its own: a token on Ethereum (proof of stake)',
  },
};
