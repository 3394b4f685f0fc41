import type { MailWords } from './shape.ts';

export const enUS: MailWords = {
  purposes: {
    register: 'creating your account',
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
      'It is valid for {{minutes}} minutes and for this purpose only. Enter it only on the Amethyst page where you requested it.',
      'If you did not request it, do not share it with anyone. Nothing happens without the code. If you keep getting codes you did not request, contact support.',
    ],
  },
  notices: {
    alreadyRegistered: {
      subject: 'You already have an Amethyst account',
      lines: [
        'Someone, probably you, tried to create an account with this email address. It already has one.',
        'Log in as usual, or choose “Forgot password?” on the login page.',
        'If this was not you, you do not need to do anything.',
      ],
    },
    noAccount: {
      subject: 'No Amethyst account uses this email address',
      lines: [
        'Someone, probably you, requested a code for this email address, but no account uses it.',
        'You may have signed up with a different address. To create an account, choose “Sign up”.',
        'If this was not you, you do not need to do anything.',
      ],
    },
    newDevice: {
      subject: 'New login to your Amethyst account',
      lines: [
        'Someone logged in to your account from a device we have not seen before.',
        'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}',
        'If this was you, you do not need to do anything. If not, change your password right away. That ends all other sessions.',
      ],
    },
    newNetwork: {
      subject: 'New login to your Amethyst account',
      lines: [
        'Someone logged in to your account from a network we have not seen before. You have used the device before.',
        'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}',
        'If this was you, you do not need to do anything. If not, change your password right away. That ends all other sessions.',
      ],
    },
    newDeviceAndNetwork: {
      subject: 'New login to your Amethyst account',
      lines: [
        'Someone logged in to your account from a device and a network we have not seen before.',
        'Device: {{device}}\nIP address: {{address}}\nTime: {{time}}',
        'If this was you, you do not need to do anything. If not, change your password right away. That ends all other sessions.',
      ],
    },
    passwordChanged: {
      subject: 'Your Amethyst password was changed',
      lines: [
        'Your login password was changed on {{time}}. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, reset your password right away and contact support.',
      ],
    },
    passwordReset: {
      subject: 'Your Amethyst password was reset',
      lines: [
        'Your login password was reset with an email code on {{time}}. All sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, secure your email account, reset your password again, and contact support.',
      ],
    },
    passwordResetWithPasskeys: {
      subject: 'Your Amethyst password was reset',
      lines: [
        'Your login password was reset with an email code on {{time}}. All sessions have ended, and withdrawals are on hold for 24 hours.',
        'These passkeys can still log in to your account:\n{{passkeys}}\nIf you do not recognize one of them, remove it under Security.',
        'If this was not you, secure your email account, reset your password again, and contact support.',
      ],
    },
    tradePasswordSet: {
      subject: 'Your Amethyst trade password was set',
      lines: [
        'A trade password was set for your account on {{time}}. All other sessions have ended.',
        'If this was not you, change your login password right away and contact support.',
      ],
    },
    tradePasswordChanged: {
      subject: 'Your Amethyst trade password was changed',
      lines: [
        'Your trade password was changed on {{time}}. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, change your login password right away and contact support.',
      ],
    },
    tradePasswordReset: {
      subject: 'Your Amethyst trade password was reset',
      lines: [
        'Your trade password was reset with your login password and an email code on {{time}}. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, change your login password right away and contact support.',
      ],
    },
    accountFrozen: {
      subject: 'Your Amethyst account is frozen',
      lines: [
        'Your account was frozen on {{time}}. Every session has ended, and nothing can be traded, bought, or withdrawn until it is unfrozen. Your balances stay yours.',
        'To have it unfrozen, write to customer service under Help & contact on the Amethyst site. You do not need to log in. Include your UID: {{uid}}.',
      ],
    },
    authenticatorBound: {
      subject: 'An authenticator was added to your Amethyst account',
      lines: [
        'An authenticator app was added to your account on {{time}}. All other sessions have ended. From now on, you need its code to log in and to move money.',
        'If this was not you, freeze your account right away and contact support.',
      ],
    },
    authenticatorRemoved: {
      subject: 'The authenticator was removed from your Amethyst account',
      lines: [
        'The authenticator app was removed from your account on {{time}}. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, freeze your account right away and contact support.',
      ],
    },
    recoveryCodeUsed: {
      subject: 'A recovery code was used on your Amethyst account',
      lines: [
        'A recovery code was used instead of your authenticator on {{time}}. It cannot be used again.',
        'If this was not you, freeze your account right away and contact support.',
      ],
    },
    recoveryCodesRenewed: {
      subject: 'Your Amethyst recovery codes were renewed',
      lines: [
        'New recovery codes were created for your account on {{time}}. The old ones no longer work, and all other sessions have ended.',
        'If this was not you, freeze your account right away and contact support.',
      ],
    },
    passkeyAdded: {
      subject: 'A passkey was added to your Amethyst account',
      lines: [
        'The passkey “{{name}}” was added to your account on {{time}}. You can log in and confirm actions with it. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, freeze your account right away and contact support.',
      ],
    },
    passkeyRemoved: {
      subject: 'A passkey was removed from your Amethyst account',
      lines: [
        'The passkey “{{name}}” was removed from your account on {{time}} and no longer works. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, freeze your account right away and contact support.',
      ],
    },
    passkeyCounter: {
      subject: 'Check a passkey of your Amethyst account',
      lines: [
        'The passkey “{{name}}” was used on {{time}}, but its signature counter did not go up. This can mean that someone has a copy of it.',
        'Remove this passkey under Security and add a new one. If you did not use it yourself, freeze your account right away and contact support.',
      ],
    },
    addressTaken: {
      subject: 'This email address already has an Amethyst account',
      lines: [
        'Someone tried to add this email address to another Amethyst account. It already belongs to an account, so nothing was changed.',
        'If this was not you, you do not need to do anything.',
      ],
    },
    emailChanged: {
      subject: 'Your Amethyst email address was changed',
      lines: [
        'Your account was moved to a different email address on {{time}}, and this one no longer belongs to it. All other sessions have ended, and withdrawals are on hold for 24 hours.',
        'If this was not you, freeze your account right away and contact support.',
      ],
    },
    emailBound: {
      subject: 'This is now your Amethyst email address',
      lines: [
        'This email address was added to your account on {{time}}. Use it to log in. Withdrawals are on hold for 24 hours.',
        'If this was not you, contact support.',
      ],
    },
    tradePasswordLocked: {
      subject: 'Your Amethyst trade password is locked',
      lines: [
        'Your trade password was entered incorrectly several times and is locked for 24 hours. To unlock it sooner, choose “Forgot trade password?” under Security and reset it with your login password and an email code.',
        'If this was not you, change your login password right away.',
      ],
    },
  },
  phishing: 'Your anti-phishing phrase: {{words}}',
  freeze: 'To freeze your account right away, open this link and confirm:\n{{link}}',
  actions: {
    withdrawal: 'a withdrawal of {{amount}} {{coin}} on {{network}} to {{address}}',
    addAddress: 'adding the {{currency}} address {{address}} on {{network}} to your address book',
    removeAddress: 'removing the {{currency}} address {{address}} on {{network}} from your address book',
    removeNamedAddress:
      'removing the {{currency}} address {{address}} on {{network}} (label: {{remark}}) from your address book',
    whitelistOn: 'turning on the address whitelist',
    whitelistOff: 'turning off the address whitelist',
    changePassword: 'changing your login password',
    setTradePassword: 'setting your trade password',
    resetTradePassword: 'resetting your trade password',
    bindAuthenticator: 'adding an authenticator app',
    removeAuthenticator: 'removing your authenticator app',
    renewRecovery: 'creating new recovery codes',
    addPasskey: 'adding the passkey “{{name}}”',
    removePasskey: 'removing a passkey',
    changeEmail: 'changing your email address to {{email}}',
    setPhrase: 'setting your anti-phishing phrase to “{{text}}”',
    createApiKey: 'creating the API key “{{name}}”',
    createWithdrawalKey: 'creating the API key “{{name}}”, which may withdraw {{withdrawalLimit}} USDT a day',
  },
  closing: [
    'We never ask for your password or a code by email, phone, or chat. The only link in our emails freezes your account. None asks you to log in.',
    'Amethyst',
  ],
};
