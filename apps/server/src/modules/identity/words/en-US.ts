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
    tradePasswordLocked: {
      subject: 'Your Amethyst trade password is locked',
      lines: [
        'Your trade password was entered incorrectly several times and is locked for 24 hours. To unlock it earlier, choose “Forgot trade password” in the security settings: it takes your login password and an email code.',
        'If this was not you, change your login password at once.',
      ],
    },
  },
  closing: [
    'We never ask for your password or for a code by email, phone, or chat. Our emails contain no links.',
    'Amethyst',
  ],
};
