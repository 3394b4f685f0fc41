import type { MessageWords, OwnMessageKind } from '../domain.ts';

export const koKR: Readonly<Record<OwnMessageKind, MessageWords>> = {
  welcome: {
    title: 'Amethyst에 오신 것을 환영합니다',
    summary: '계정이 개설되었습니다. 세 가지만 확인하면 더 안전합니다.',
    content:
      '계정이 개설되었습니다.\n\n' +
      '자금 비밀번호를 설정하세요. 자금을 이동할 때 입력합니다.\n\n' +
      '첫 출금 전에 본인 인증을 완료하세요.\n\n' +
      '당사는 이메일, 전화, 채팅으로 비밀번호나 인증 코드를 요구하지 않습니다.',
  },
  agreementsChanged: {
    title: '이용약관과 개인정보 처리방침 변경',
    summary: '시행 중인 버전: 이용약관 {{terms}}, 개인정보 처리방침 {{privacy}}',
    content:
      '계정에 적용되는 문서가 변경되었습니다. 시행 중인 버전: 이용약관 {{terms}}, 개인정보 처리방침 {{privacy}}\n\n' +
      '두 문서는 ‘회사 소개’에서 볼 수 있습니다. 보유한 상품에는 구매 당시의 조건이 계속 적용됩니다. 변경에 동의하지 않으면 계정을 해지할 수 있습니다.\n\n' +
      '계정을 계속 사용하기 위해 따로 하실 일은 없습니다.',
  },
  newDevice: {
    title: '새 로그인',
    summary: '{{device}}, {{address}}',
    content:
      '처음 사용하는 기기에서 계정에 로그인했습니다.\n\n' +
      '기기: {{device}}\nIP 주소: {{address}}\n시간: {{time}}\n\n' +
      '본인이 아니라면 즉시 비밀번호를 변경하세요. 다른 모든 세션이 종료됩니다.',
  },
  newNetwork: {
    title: '새 로그인',
    summary: '{{device}}, {{address}}',
    content:
      '처음 사용하는 네트워크에서 계정에 로그인했습니다. 기기는 이전에 사용한 것입니다.\n\n' +
      '기기: {{device}}\nIP 주소: {{address}}\n시간: {{time}}\n\n' +
      '본인이 아니라면 즉시 비밀번호를 변경하세요. 다른 모든 세션이 종료됩니다.',
  },
  newDeviceAndNetwork: {
    title: '새 로그인',
    summary: '{{device}}, {{address}}',
    content:
      '처음 사용하는 기기와 네트워크에서 계정에 로그인했습니다.\n\n' +
      '기기: {{device}}\nIP 주소: {{address}}\n시간: {{time}}\n\n' +
      '본인이 아니라면 즉시 비밀번호를 변경하세요. 다른 모든 세션이 종료됩니다.',
  },
  passwordChanged: {
    title: '비밀번호 변경',
    summary: '다른 세션이 종료되었으며, {{until}}까지 출금이 제한됩니다.',
    content:
      '{{time}}에 로그인 비밀번호가 변경되었습니다. 다른 모든 세션이 종료되었으며, {{until}}까지 출금이 제한됩니다.\n\n' +
      '본인이 아니라면 즉시 비밀번호를 재설정하고 고객센터에 문의하세요.',
  },
  passwordReset: {
    title: '비밀번호 재설정',
    summary: '모든 세션이 종료되었으며, {{until}}까지 출금이 제한됩니다.',
    content:
      '{{time}}에 이메일 인증 코드로 로그인 비밀번호가 재설정되었습니다. 모든 세션이 종료되었으며, {{until}}까지 출금이 제한됩니다.\n\n' +
      '본인이 아니라면 먼저 이메일 계정의 보안을 확인한 다음 비밀번호를 다시 재설정하고 고객센터에 문의하세요.',
  },
  passwordResetWithPasskeys: {
    title: '비밀번호 재설정',
    summary: '패스키를 확인해 주세요. {{until}}까지 출금이 제한됩니다.',
    content:
      '{{time}}에 이메일 인증 코드로 로그인 비밀번호가 재설정되었습니다. 모든 세션이 종료되었으며, {{until}}까지 출금이 제한됩니다.\n\n' +
      '다음 패스키로는 계속 계정에 로그인할 수 있습니다.\n{{passkeys}}\n모르는 패스키가 있다면 보안 메뉴에서 삭제해 주세요.\n\n' +
      '본인이 아니라면 먼저 이메일 계정의 보안을 확인한 다음 비밀번호를 다시 재설정하고 고객센터에 문의하세요.',
  },
  tradePasswordSet: {
    title: '자금 비밀번호 설정',
    summary: '자금을 이동할 때 입력합니다.',
    content:
      '{{time}}에 계정의 자금 비밀번호가 설정되었습니다.\n\n' +
      '본인이 아니라면 즉시 로그인 비밀번호를 변경하고 고객센터에 문의하세요.',
  },
  tradePasswordChanged: {
    title: '자금 비밀번호 변경',
    summary: '24시간 동안 출금이 제한됩니다.',
    content:
      '{{time}}에 계정의 자금 비밀번호가 변경되었습니다. 24시간 동안 출금이 제한됩니다.\n\n' +
      '본인이 아니라면 즉시 로그인 비밀번호를 변경하고 고객센터에 문의하세요.',
  },
  tradePasswordLocked: {
    title: '자금 비밀번호 잠김',
    summary: '여러 번 잘못 입력되었습니다.',
    content:
      '자금 비밀번호가 여러 번 잘못 입력되어 24시간 동안 잠겼습니다. 더 빨리 해제하려면 보안 센터에서 “자금 비밀번호를 잊으셨나요?”를 선택하세요. 로그인 비밀번호와 이메일 인증 코드가 필요합니다.\n\n' +
      '본인이 아니라면 즉시 로그인 비밀번호를 변경하세요.',
  },
  accountFrozen: {
    title: '계정 동결',
    summary: '동결 해제는 고객센터에 문의하세요.',
    content:
      '{{time}}에 계정이 동결되었습니다. 모든 세션이 종료되었으며 거래, 구매, 출금을 할 수 없습니다.\n\n동결 해제나 문의 사항은 ‘도움말 및 문의’에서 고객센터에 남겨 주세요. 로그인하지 않아도 됩니다.',
  },
  authenticatorBound: {
    title: '인증 앱 추가',
    summary: '이제 로그인과 자금 이동 시 인증 앱 코드가 필요합니다.',
    content:
      '{{time}}에 계정에 인증 앱이 연결되었습니다. 이제 로그인과 자금 이동 시 인증 앱 코드가 필요합니다.\n\n' +
      '복구 코드를 안전한 곳에 보관하세요. 코드마다 인증 앱을 한 번 대신할 수 있습니다.\n\n' +
      '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  authenticatorRemoved: {
    title: '인증 앱 해제',
    summary: '24시간 동안 출금이 제한됩니다.',
    content:
      '{{time}}에 계정의 인증 앱이 해제되었습니다. 24시간 동안 출금이 제한됩니다.\n\n' +
      '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  recoveryCodeUsed: {
    title: '복구 코드 사용',
    summary: '인증 앱을 대신해 사용되었으며, 다시 사용할 수 없습니다.',
    content:
      '{{time}}에 인증 앱 대신 복구 코드가 사용되었습니다. 이 코드는 다시 사용할 수 없습니다.\n\n' +
      '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  recoveryCodesRenewed: {
    title: '복구 코드 재발급',
    summary: '이전 코드는 더 이상 사용할 수 없습니다.',
    content:
      '{{time}}에 계정의 복구 코드가 새로 발급되었습니다. 이전 코드는 더 이상 사용할 수 없습니다.\n\n' +
      '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  emailChanged: {
    title: '이메일 주소 변경',
    summary: '24시간 동안 출금이 제한됩니다.',
    content:
      '{{time}}에 계정의 이메일 주소가 변경되었습니다. 다른 세션이 종료되었으며, 24시간 동안 출금이 제한됩니다.\n\n' +
      '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  passkeyAdded: {
    title: '패스키 추가',
    summary: '로그인에 사용할 수 있습니다. 24시간 동안 출금이 제한됩니다.',
    content:
      '{{time}}에 계정에 패스키 “{{name}}” 추가가 완료되었습니다. 이 패스키로 로그인하고 작업을 승인할 수 있습니다. 24시간 동안 출금이 제한됩니다.\n\n' +
      '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  passkeyRemoved: {
    title: '패스키 삭제',
    summary: '더 이상 사용할 수 없습니다. 24시간 동안 출금이 제한됩니다.',
    content:
      '{{time}}에 계정의 패스키 “{{name}}” 삭제가 완료되어 더 이상 사용할 수 없습니다. 24시간 동안 출금이 제한됩니다.\n\n' +
      '본인이 아니라면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  passkeyCounter: {
    title: '패스키 확인 필요',
    summary: '다른 사람이 패스키를 복제했을 수 있습니다.',
    content:
      '{{time}}에 패스키 “{{name}}” 사용이 감지되었으나 서명 카운터가 증가하지 않았습니다. 다른 사람이 패스키를 복제했을 수 있습니다. 보안 메뉴에서 이 패스키를 삭제하고 새로 추가해 주세요.\n\n' +
      '직접 사용하지 않았다면 즉시 계정을 동결하고 고객센터에 문의하세요.',
  },
  apiKeyCreated: {
    title: 'API 키 생성',
    summary: '“{{name}}” 키가 {{time}}에 생성되었습니다.',
    content:
      '“{{name}}” API 키가 {{time}}에 생성되었습니다. 이 키를 가진 프로그램은 허용된 권한 안에서 계정을 사용할 수 있습니다.\n\n본인이 아니라면 즉시 보안 화면에서 키를 폐기하고 비밀번호를 변경하세요.',
  },
  apiKeyNewAddress: {
    title: '새 주소에서 API 키 사용',
    summary: '“{{name}}” 키가 {{address}}에서 사용되었습니다.',
    content:
      '“{{name}}” API 키가 새로운 주소에서 사용되었습니다.\n\nIP 주소: {{address}}\n시간: {{time}}\n\n본인의 프로그램이 아니라면 즉시 보안 화면에서 키를 폐기하세요.',
  },
  priceRose: {
    title: '{{pair}} 가격이 {{price}} {{unit}}까지 상승',
    summary: '가격 알림: {{limit}} {{unit}} 이상.',
    content:
      '{{time}} 기준 {{pair}} 현재가는 {{price}} {{unit}}입니다.\n\n' +
      '{{limit}} {{unit}} 이상이 되면 알리도록 설정하셨습니다.',
  },
  priceFell: {
    title: '{{pair}} 가격이 {{price}} {{unit}}까지 하락',
    summary: '가격 알림: {{limit}} {{unit}} 이하.',
    content:
      '{{time}} 기준 {{pair}} 현재가는 {{price}} {{unit}}입니다.\n\n' +
      '{{limit}} {{unit}} 이하가 되면 알리도록 설정하셨습니다.',
  },
  priceMoved: {
    title: '{{pair}} 가격이 {{percent}}% 변동',
    summary: '{{from}} → {{price}} {{unit}}.',
    content:
      '{{time}} 기준 {{pair}} 현재가는 {{price}} {{unit}}입니다. {{from}} {{unit}} 대비 {{percent}}% 변동했습니다.\n\n' +
      '{{limit}}% 이상 변동하면 알리도록 설정하셨습니다.',
  },
  indexRose: {
    title: '{{pair}} 인덱스 가격이 {{price}} {{unit}}까지 상승',
    summary: '가격 알림: {{limit}} {{unit}} 이상.',
    content:
      '{{time}} 기준 {{pair}} 인덱스 가격은 {{price}} {{unit}}입니다.\n\n' +
      '{{limit}} {{unit}} 이상이 되면 알리도록 설정하셨습니다.',
  },
  indexFell: {
    title: '{{pair}} 인덱스 가격이 {{price}} {{unit}}까지 하락',
    summary: '가격 알림: {{limit}} {{unit}} 이하.',
    content:
      '{{time}} 기준 {{pair}} 인덱스 가격은 {{price}} {{unit}}입니다.\n\n' +
      '{{limit}} {{unit}} 이하가 되면 알리도록 설정하셨습니다.',
  },
  indexMoved: {
    title: '{{pair}} 인덱스 가격이 {{percent}}% 변동',
    summary: '{{from}} → {{price}} {{unit}}.',
    content:
      '{{time}} 기준 {{pair}} 인덱스 가격은 {{price}} {{unit}}입니다. {{from}} {{unit}} 대비 {{percent}}% 변동했습니다.\n\n' +
      '{{limit}}% 이상 변동하면 알리도록 설정하셨습니다.',
  },
  buyFilled: {
    title: '매수 주문 체결: {{pair}}',
    summary: '{{amount}} {{coin}} 매수, 평균 {{price}} {{unit}}.',
    content:
      '{{time}}에 매수 주문이 전량 체결되었습니다.\n\n' +
      '페어: {{pair}}\n매수 수량: {{amount}} {{coin}}\n평균 체결가: {{price}} {{unit}}\n금액: {{total}} {{unit}}\n수수료: {{fee}} {{feeCoin}}\n주문 번호: {{order}}',
  },
  sellFilled: {
    title: '매도 주문 체결: {{pair}}',
    summary: '{{amount}} {{coin}} 매도, 평균 {{price}} {{unit}}.',
    content:
      '{{time}}에 매도 주문이 전량 체결되었습니다.\n\n' +
      '페어: {{pair}}\n매도 수량: {{amount}} {{coin}}\n평균 체결가: {{price}} {{unit}}\n금액: {{total}} {{unit}}\n수수료: {{fee}} {{feeCoin}}\n주문 번호: {{order}}',
  },
  buyPartlyFilled: {
    title: '매수 주문 부분 체결 후 종료: {{pair}}',
    summary: '{{amount}} {{coin}} 매수, 평균 {{price}} {{unit}}. 나머지는 체결되지 않았습니다.',
    content:
      '{{time}}에 매수 주문이 종료되었습니다. 일부만 체결되었으며, 나머지에 동결된 자금은 다시 사용할 수 있습니다.\n\n' +
      '페어: {{pair}}\n매수 수량: {{amount}} {{coin}}\n평균 체결가: {{price}} {{unit}}\n금액: {{total}} {{unit}}\n수수료: {{fee}} {{feeCoin}}\n주문 번호: {{order}}',
  },
  exitsNotPlaced: {
    title: '익절·손절 주문 미접수: {{pair}}',
    summary: '체결된 {{amount}} {{coin}}에 대한 익절·손절 주문이 접수되지 않았습니다.',
    content:
      '{{time}}에 주문에 설정한 익절·손절 주문을 접수하지 못했습니다. 사유는 주문 상세에서 확인할 수 있습니다. 체결로 받은 자산은 현물 계좌에 있으며, 직접 주문을 낼 수 있습니다.\n\n' +
      '페어: {{pair}}\n체결 수량: {{amount}} {{coin}}\n주문 번호: {{order}}',
  },
  sellPartlyFilled: {
    title: '매도 주문 부분 체결 후 종료: {{pair}}',
    summary: '{{amount}} {{coin}} 매도, 평균 {{price}} {{unit}}. 나머지는 체결되지 않았습니다.',
    content:
      '{{time}}에 매도 주문이 종료되었습니다. 일부만 체결되었으며, 나머지에 동결된 자금은 다시 사용할 수 있습니다.\n\n' +
      '페어: {{pair}}\n매도 수량: {{amount}} {{coin}}\n평균 체결가: {{price}} {{unit}}\n금액: {{total}} {{unit}}\n수수료: {{fee}} {{feeCoin}}\n주문 번호: {{order}}',
  },
  identityVerified: {
    title: '본인 인증 완료',
    summary: '이제 상품 구매, 전환, 하루 최대 {{day}} USDT 출금을 이용할 수 있습니다.',
    content:
      '{{time}}에 본인 인증이 완료되었습니다.\n\n' +
      '이제 상품 구매와 코인 전환을 이용할 수 있으며, 24시간 내 {{day}} USDT, 30일 내 {{month}} USDT까지 출금할 수 있습니다.\n\n' +
      '인증된 정보는 변경할 수 없습니다. 신분증 사진은 심사가 끝난 날부터 {{days}}일 후 삭제됩니다.',
  },
  identityRejected: {
    title: '본인 인증 반려',
    summary: '서류가 반려되었습니다. 안내를 확인하고 다시 제출하세요.',
    content:
      '{{time}}에 제출하신 서류를 심사했으나 승인할 수 없었습니다.\n\n' +
      '“본인 인증”에서 사유를 확인하세요. 문제가 없는 내용은 유지되며, {{next}}부터 다시 제출할 수 있습니다.',
  },
  depositCredited: {
    title: '입금 완료: {{amount}} {{coin}}',
    summary: '현물 계좌에서 사용할 수 있습니다.',
    content:
      '입금의 컨펌이 완료되어 현물 계좌에 반영되었습니다.\n\n' +
      '수량: {{amount}} {{coin}}\n네트워크: {{network}}\nTxID: {{txid}}\n반영 시간: {{time}}',
  },
  depositRejected: {
    title: '입금 반려: {{amount}} {{coin}}',
    summary: '입금 증빙을 심사했습니다. 사유는 입금 내역에 표시됩니다.',
    content:
      '제출하신 입금 증빙을 심사한 결과 입금을 반영할 수 없습니다. 사유는 입금 내역에 표시됩니다.\n\n수량: {{amount}} {{coin}}\n네트워크: {{network}}\n심사 시간: {{time}}',
  },
  withdrawalHeld: {
    title: '출금 신청: {{amount}} {{coin}}',
    summary: '{{network}} 네트워크로 {{arrival}} {{coin}} 도착 예정.',
    content:
      '출금을 신청했습니다. 본인이 아니라면 즉시 취소하고 계정을 동결하세요.\n\n' +
      '수량: {{amount}} {{coin}}\n수수료: {{fee}} {{coin}}\n실수령액: {{arrival}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\n신청 시간: {{time}}',
  },
  withdrawalByKey: {
    title: 'API 키 출금 신청: {{amount}} {{coin}}',
    summary: '{{network}} 네트워크로 {{arrival}} {{coin}} 도착 예정.',
    content:
      '프로그램이 다음 API 키를 사용해 출금을 신청했습니다: {{key}}. 의도한 출금이 아니라면 즉시 취소하고 키를 폐기한 뒤 계정을 동결하세요.\n\n' +
      '수량: {{amount}} {{coin}}\n수수료: {{fee}} {{coin}}\n실수령액: {{arrival}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\n신청 시간: {{time}}',
  },
  withdrawalFinished: {
    title: '출금 완료: {{amount}} {{coin}}',
    summary: '{{network}} 네트워크로 {{arrival}} {{coin}} 도착했습니다.',
    content:
      '네트워크에서 출금이 확인되었습니다.\n\n' +
      '실수령액: {{arrival}} {{coin}}\n수수료: {{fee}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\nTxID: {{txid}}\n완료 시간: {{time}}',
  },
  withdrawalRejected: {
    title: '출금 반려: {{amount}} {{coin}}',
    summary: '전액이 현물 계좌로 반환되었습니다.',
    content:
      '출금이 반려되었습니다. 사유는 출금 내역에 표시되며, 전액이 현물 계좌로 반환되었습니다.\n\n' +
      '수량: {{amount}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\n반려 시간: {{time}}',
  },
  withdrawalFailed: {
    title: '출금 실패: {{amount}} {{coin}}',
    summary: '전액이 현물 계좌로 반환되었습니다.',
    content:
      '네트워크에서 전송이 거부되어 자산이 전송되지 않았습니다. 수수료를 포함한 전액이 현물 계좌로 반환되었습니다.\n\n' +
      '수량: {{amount}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\nTxID: {{txid}}\n실패 시간: {{time}}',
  },
  withdrawalReturned: {
    title: '출금 반환: {{amount}} {{coin}}',
    summary: '전액이 현물 계좌로 반환되었습니다.',
    content:
      '출금이 전송되지 않았으며 앞으로도 전송되지 않습니다. 사유는 출금 내역에서 확인할 수 있습니다. 수수료를 포함한 전액이 현물 계좌로 반환되었습니다.\n\n' +
      '수량: {{amount}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\n반환 시간: {{time}}',
  },
  withdrawalPaused: {
    title: '{{coin}} 출금 일시 중단',
    summary: '{{amount}} {{coin}} 출금은 재개되는 즉시 자동으로 처리됩니다.',
    content:
      '현재 {{network}} 네트워크의 {{coin}} 출금이 일시 중단되어 신청하신 출금이 아직 전송되지 않았습니다. 출금 수량은 계속 묶여 있으며 출금이 재개되면 자동으로 처리됩니다. 별도로 하실 일은 없으며, 재개되면 알려 드리겠습니다.\n\n' +
      '수량: {{amount}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\n신청 시간: {{time}}',
  },
  withdrawalResumed: {
    title: '{{coin}} 출금 재개',
    summary: '{{amount}} {{coin}} 출금 처리가 다시 시작되었습니다.',
    content:
      '{{network}} 네트워크의 {{coin}} 출금이 재개되어 신청하신 출금을 다시 처리하고 있습니다. 별도로 하실 일은 없습니다.\n\n' +
      '수량: {{amount}} {{coin}}\n네트워크: {{network}}\n주소: {{address}}\n신청 시간: {{time}}',
  },
  operatorNote: {
    title: '{{title}}',
    summary: '{{summary}}',
    content: '{{content}}\n\nAmethyst 고객센터에서 보낸 메시지입니다.',
  },
  supportAnswered: {
    title: '고객센터 답변이 도착했습니다',
    summary: '문의하신 내용에 답변드렸습니다.',
    content: '{{answer}}\n\n문의 내용:\n{{question}}',
  },
};
