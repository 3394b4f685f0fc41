import type { MailWords } from './shape.ts';

export const enUS: MailWords = {
  purposes: {
    register: 'opening an account',
    login: 'logging in',
    bind: 'changing your security settings',
    withdraw: 'a withdrawal',
    address: 'changing your address book',
    tradePassword: 'setting your trade password',
    password: 'changing your password',
    reset: 'resetting your password',
  },
  code: {
    subject: 'Your Amethyst code: {{code}}',
    lines: [
      'Your code for {{purpose}}:',
      '{{code}}',
      'It is valid for {{minutes}} minutes and for this purpose only. Enter it nowhere but on the Amethyst page where you asked for it.',
      'If you did not ask for it, ignore this email: without the code nothing happens.',
    ],
  },
  notices: {
    alreadyRegistered: {
      subject: 'You already have an Amethyst account',
      lines: [
        'Someone, probably you, tried to open an account with this address. It already has one.',
        'Log in as usual, or choose “Forgot password” on the login page.',
        'If this was not you, nothing needs to be done.',
      ],
    },
    noAccount: {
      subject: 'No Amethyst account with this address',
      lines: [
        'Someone, probably you, asked for a code for this address, but no account uses it.',
        'You may have registered with another address. To open an account, choose “Sign up”.',
        'If this was not you, nothing needs to be done.',
      ],
    },
    newDevice: {
      subject: 'New login to your Amethyst account',
      lines: [
        'Your account was logged in to from a device we have not seen before.',
        'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}',
        'If this was not you, change your password right away: that ends all other sessions.',
      ],
    },
    passwordChanged: {
      subject: 'Your Amethyst password was changed',
      lines: [
        'The login password of your account was changed on {{time}}. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, reset your password at once and contact support.',
      ],
    },
    passwordReset: {
      subject: 'Your Amethyst password was reset',
      lines: [
        'The login password of your account was reset with an email code on {{time}}. All sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, secure your mailbox, reset the password again and contact support.',
      ],
    },
    tradePasswordSet: {
      subject: 'Your Amethyst trade password was set',
      lines: [
        'A trade password was set for your account on {{time}}.',
        'If this was not you, change your login password at once and contact support.',
      ],
    },
    tradePasswordChanged: {
      subject: 'Your Amethyst trade password was changed',
      lines: [
        'The trade password of your account was changed on {{time}}. Withdrawals are on hold for 24 hours.',
        'If this was not you, change your login password at once and contact support.',
      ],
    },
    tradePasswordReset: {
      subject: 'Your Amethyst trade password was reset',
      lines: [
        'The trade password of your account was reset with your login password and an email code on {{time}}. Withdrawals are on hold for 24 hours.',
        'If this was not you, change your login password at once and contact support.',
      ],
    },
    authenticatorBound: {
      subject: 'An authenticator was added to your Amethyst account',
      lines: [
        'An authenticator app was bound to your account on {{time}}. From now on, logging in and moving money take its code.',
        'If this was not you, freeze your account at once and contact support.',
      ],
    },
    authenticatorRemoved: {
      subject: 'The authenticator of your Amethyst account was removed',
      lines: [
        'The authenticator app of your account was removed on {{time}}. Withdrawals are on hold for 24 hours.',
        'If this was not you, freeze your account at once and contact support.',
      ],
    },
    recoveryCodeUsed: {
      subject: 'A recovery code of your Amethyst account was used',
      lines: [
        'A recovery code was used in place of your authenticator on {{time}}. It cannot be used again.',
        'If this was not you, freeze your account at once and contact support.',
      ],
    },
    recoveryCodesRenewed: {
      subject: 'The recovery codes of your Amethyst account were renewed',
      lines: [
        'New recovery codes were made for your account on {{time}}. The old ones no longer work.',
        'If this was not you, freeze your account at once and contact support.',
      ],
    },
    addressTaken: {
      subject: 'This address already has an Amethyst account',
      lines: [
        'Someone tried to bind this address to another Amethyst account. It already belongs to an account, so nothing was changed.',
        'If this was not you, nothing needs to be done.',
      ],
    },
    emailChanged: {
      subject: 'The email address of your Amethyst account was changed',
      lines: [
        'Your account was moved to another email address on {{time}}. This one no longer belongs to it. Other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, freeze your account at once and contact support.',
      ],
    },
    emailBound: {
      subject: 'This is now the email address of your Amethyst account',
      lines: [
        'This address was bound to your account on {{time}}. Use it to log in. Withdrawals are on hold for 24 hours.',
        'If this was not you, contact support.',
      ],
    },
    tradePasswordLocked: {
      subject: 'Your Amethyst trade password is locked',
      lines: [
        'Your trade password was entered incorrectly several times and is locked for 24 hours. To unlock it earlier, choose “Forgot trade password” in the security settings: it takes your login password and an email code.',
        'If this was not you, change your login password at once.',
      ],
    },
  },
  phishing: 'Your anti-phishing phrase: {{words}}',
  freeze: 'To freeze your account right away, open this link and confirm: {{link}}',
  withdrawal: 'a withdrawal of {{amount}} {{coin}} over {{network}} to {{address}}',
  closing: [
    'We never ask for your password or for a code by email, phone, or chat. The only link our emails ever contain freezes your account; none asks you to log in.',
    'Amethyst',
  ],
};
