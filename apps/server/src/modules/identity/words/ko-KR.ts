import type { MailWords } from './shape.ts';

export const koKR: MailWords = {
  purposes: {
    register: '계정 개설',
    login: '로그인',
    bind: '보안 설정 변경',
    withdraw: '출금',
    address: '주소록 변경',
    tradePassword: '자금 비밀번호 설정',
    password: '비밀번호 변경',
    reset: '비밀번호 재설정',
  },
  code: {
    subject: 'Amethyst 인증 코드: {{code}}',
    lines: [
      '용도: {{purpose}}',
      '{{code}}',
      '이 코드는 {{minutes}}분간, 해당 용도로만 유효합니다. 코드를 요청한 Amethyst 페이지에서만 입력하세요.',
      '요청하지 않았다면 이 이메일을 무시하세요. 코드가 없으면 아무 일도 일어나지 않습니다.',
    ],
  },
  notices: {
    alreadyRegistered: {
      subject: '이미 Amethyst 계정이 있습니다',
      lines: [
        '이 주소로 계정을 개설하려는 요청이 있었습니다. 본인이 요청하셨다면 이미 계정이 있는 주소이니 새로 가입하지 않아도 됩니다.',
        '평소처럼 로그인하거나 로그인 페이지에서 “비밀번호를 잊으셨나요?”를 선택하세요.',
        '본인이 요청하지 않았다면 따로 하실 일은 없습니다.',
      ],
    },
    noAccount: {
      subject: '이 주소로 가입한 Amethyst 계정이 없습니다',
      lines: [
        '이 주소로 인증 코드 요청이 있었습니다. 본인이 요청하셨다면, 이 주소를 사용하는 계정은 없습니다.',
        '다른 주소로 가입했을 수 있습니다. 계정을 개설하려면 “회원가입”을 선택하세요.',
        '본인이 요청하지 않았다면 따로 하실 일은 없습니다.',
      ],
    },
    newDevice: {
      subject: 'Amethyst 계정에 새 기기로 로그인했습니다',
      lines: [
        '처음 사용하는 기기에서 계정에 로그인했습니다.',
        '기기: {{device}}\nIP 주소: {{address}}\n시간: {{time}}',
        '본인이 아니라면 즉시 비밀번호를 변경하세요. 다른 모든 세션이 종료됩니다.',
      ],
    },
    newNetwork: {
      subject: 'Amethyst 계정에 새 네트워크에서 로그인했습니다',
      lines: [
        '처음 사용하는 네트워크에서 계정에 로그인했습니다. 기기는 이전에 사용한 것입니다.',
        '기기: {{device}}\nIP 주소: {{address}}\n시간: {{time}}',
        '본인이 아니라면 즉시 비밀번호를 변경하세요. 다른 모든 세션이 종료됩니다.',
      ],
    },
    newDeviceAndNetwork: {
      subject: 'Amethyst 계정에 새 기기로 로그인했습니다',
      lines: [
        '처음 사용하는 기기와 네트워크에서 계정에 로그인했습니다.',
        '기기: {{device}}\nIP 주소: {{address}}\n시간: {{time}}',
        '본인이 아니라면 즉시 비밀번호를 변경하세요. 다른 모든 세션이 종료됩니다.',
      ],
    },
    passwordChanged: {
      subject: 'Amethyst 비밀번호가 변경되었습니다',
      lines: [
        '{{time}}에 계정의 로그인 비밀번호가 변경되었습니다. 다른 모든 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 즉시 비밀번호를 재설정하고 고객센터에 문의하세요.',
      ],
    },
    passwordReset: {
      subject: 'Amethyst 비밀번호가 재설정되었습니다',
      lines: [
        '{{time}}에 이메일 인증 코드로 계정의 로그인 비밀번호가 재설정되었습니다. 모든 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 먼저 이메일 계정의 보안을 확인한 다음 비밀번호를 다시 재설정하고 고객센터에 문의하세요.',
      ],
    },
    passwordResetWithPasskeys: {
      subject: 'Amethyst 비밀번호가 재설정되었습니다',
      lines: [
        '{{time}}에 이메일 인증 코드로 계정의 로그인 비밀번호가 재설정되었습니다. 모든 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '다음 패스키로는 계속 계정에 로그인할 수 있습니다.\n{{passkeys}}\n모르는 패스키가 있다면 보안 메뉴에서 삭제해 주세요.',
        '본인이 아니라면 먼저 이메일 계정의 보안을 확인한 다음 비밀번호를 다시 재설정하고 고객센터에 문의하세요.',
      ],
    },
    tradePasswordSet: {
      subject: 'Amethyst 자금 비밀번호가 설정되었습니다',
      lines: [
        '{{time}}에 계정의 자금 비밀번호가 설정되었으며 다른 세션이 모두 종료되었습니다.',
        '본인이 아니라면 즉시 로그인 비밀번호를 변경하고 고객센터에 문의하세요.',
      ],
    },
    tradePasswordChanged: {
      subject: 'Amethyst 자금 비밀번호가 변경되었습니다',
      lines: [
        '{{time}}에 계정의 자금 비밀번호가 변경되었습니다. 다른 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 즉시 로그인 비밀번호를 변경하고 고객센터에 문의하세요.',
      ],
    },
    tradePasswordReset: {
      subject: 'Amethyst 자금 비밀번호가 재설정되었습니다',
      lines: [
        '{{time}}에 로그인 비밀번호와 이메일 인증 코드로 계정의 자금 비밀번호가 재설정되었습니다. 다른 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 즉시 로그인 비밀번호를 변경하고 고객센터에 문의하세요.',
      ],
    },
    accountFrozen: {
      subject: 'Amethyst 계정이 동결되었습니다',
      lines: [
        '{{time}}에 계정이 동결되었습니다. 모든 세션이 종료되었으며, 동결이 해제될 때까지 거래, 구매, 출금을 할 수 없습니다. 보유 자산은 그대로 유지됩니다.',
        '동결을 해제하려면 Amethyst 사이트의 ‘도움말 및 문의’에서 고객센터에 문의하세요. 로그인하지 않아도 됩니다. UID({{uid}})를 함께 알려 주세요.',
      ],
    },
    authenticatorBound: {
      subject: 'Amethyst 계정에 인증 앱이 추가되었습니다',
      lines: [
        '{{time}}에 계정에 인증 앱이 연결되었으며 다른 세션이 모두 종료되었습니다. 이제 로그인과 자금 이동 시 인증 앱 코드가 필요합니다.',
        '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    authenticatorRemoved: {
      subject: 'Amethyst 계정의 인증 앱이 해제되었습니다',
      lines: [
        '{{time}}에 계정의 인증 앱이 해제되었습니다. 다른 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    recoveryCodeUsed: {
      subject: 'Amethyst 계정의 복구 코드가 사용되었습니다',
      lines: [
        '{{time}}에 인증 앱 대신 복구 코드가 사용되었습니다. 이 코드는 다시 사용할 수 없습니다.',
        '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    recoveryCodesRenewed: {
      subject: 'Amethyst 계정의 복구 코드가 재발급되었습니다',
      lines: [
        '{{time}}에 계정의 복구 코드가 새로 발급되었습니다. 이전 코드는 더 이상 사용할 수 없으며 다른 세션이 모두 종료되었습니다.',
        '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    passkeyAdded: {
      subject: 'Amethyst 계정에 패스키가 추가되었습니다',
      lines: [
        '{{time}}에 계정에 패스키 “{{name}}” 추가가 완료되었습니다. 이 패스키로 로그인하고 작업을 승인할 수 있습니다. 다른 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    passkeyRemoved: {
      subject: 'Amethyst 계정의 패스키가 삭제되었습니다',
      lines: [
        '{{time}}에 계정의 패스키 “{{name}}” 삭제가 완료되어 더 이상 사용할 수 없습니다. 다른 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    passkeyCounter: {
      subject: 'Amethyst 계정의 패스키를 확인해 주세요',
      lines: [
        '{{time}}에 패스키 “{{name}}” 사용이 감지되었으나 서명 카운터가 증가하지 않았습니다. 다른 사람이 패스키를 복제했을 수 있습니다.',
        '보안 메뉴에서 이 패스키를 삭제하고 새로 추가해 주세요. 직접 사용하지 않았다면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    addressTaken: {
      subject: '이 주소에는 이미 Amethyst 계정이 있습니다',
      lines: [
        '누군가 이 주소를 다른 Amethyst 계정에 연결하려고 했습니다. 이미 다른 계정에서 사용 중인 주소이므로 변경된 내용은 없습니다.',
        '본인이 요청하지 않았다면 따로 하실 일은 없습니다.',
      ],
    },
    emailChanged: {
      subject: 'Amethyst 계정의 이메일 주소가 변경되었습니다',
      lines: [
        '{{time}}에 계정의 이메일이 다른 주소로 변경되었습니다. 이 주소는 더 이상 계정에 연결되어 있지 않습니다. 다른 세션이 종료되었으며 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
      ],
    },
    emailBound: {
      subject: '이제 이 주소가 Amethyst 계정의 이메일 주소입니다',
      lines: [
        '{{time}}에 이 주소가 계정에 연결되었습니다. 이 주소로 로그인하세요. 24시간 동안 출금이 제한됩니다.',
        '본인이 아니라면 고객센터에 문의하세요.',
      ],
    },
    tradePasswordLocked: {
      subject: 'Amethyst 자금 비밀번호가 잠겼습니다',
      lines: [
        '자금 비밀번호가 여러 번 잘못 입력되어 24시간 동안 잠겼습니다. 더 빨리 해제하려면 보안 센터에서 “자금 비밀번호를 잊으셨나요?”를 선택하세요. 로그인 비밀번호와 이메일 인증 코드가 필요합니다.',
        '본인이 아니라면 즉시 로그인 비밀번호를 변경하세요.',
      ],
    },
  },
  phishing: '피싱 방지 문구: {{words}}',
  freeze: '계정을 즉시 동결하려면 이 링크를 열어 확인하세요:\n{{link}}',
  actions: {
    withdrawal: '{{network}} 네트워크를 통해 {{address}} 주소로 {{amount}} {{coin}} 출금',
    addAddress: '{{network}} 네트워크의 {{currency}} 주소 {{address}} 주소록 추가',
    removeAddress: '{{network}} 네트워크의 {{currency}} 주소 {{address}} 주소록 삭제',
    removeNamedAddress: '{{network}} 네트워크의 {{currency}} 주소 {{address}}(비고: {{remark}}) 주소록 삭제',
    whitelistOn: '출금 화이트리스트 켜기',
    whitelistOff: '출금 화이트리스트 끄기',
    changePassword: '로그인 비밀번호 변경',
    setTradePassword: '자금 비밀번호 설정',
    resetTradePassword: '자금 비밀번호 재설정',
    bindAuthenticator: '인증 앱 연결',
    removeAuthenticator: '인증 앱 해제',
    renewRecovery: '복구 코드 재발급',
    addPasskey: '패스키 “{{name}}” 추가',
    removePasskey: '패스키 삭제',
    changeEmail: '이메일 주소 변경: {{email}}',
    setPhrase: '피싱 방지 문구 설정: “{{text}}”',
    createApiKey: 'API 키 “{{name}}” 생성',
    createWithdrawalKey: '하루 {{withdrawalLimit}} USDT까지 출금할 수 있는 API 키 “{{name}}” 생성',
  },
  closing: [
    '당사는 이메일, 전화, 채팅으로 비밀번호나 인증 코드를 요구하지 않습니다. 당사 이메일에 들어 있는 링크는 계정을 동결하는 링크뿐이며, 로그인을 요구하는 링크는 없습니다.',
    'Amethyst',
  ],
};
