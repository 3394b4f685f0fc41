import { AGREEMENT_VERSIONS } from '@exchange/core/agreements.ts';
import type { Locale } from '@exchange/core/locale.ts';

export interface Agreement {
  /** Changes with the text: who accepted an earlier one has not accepted this. */
  readonly version: string;
  readonly text: Readonly<Record<Locale, string>>;
}

/** What people agree to when they open an account. */
export const USER_AGREEMENT: Agreement = {
  version: AGREEMENT_VERSIONS.user,
  text: {
    'en-US': [
      'By opening an account, you confirm that you are of legal age, that you are acting on your own behalf, and that the laws where you live allow you to trade crypto assets.',
      'You are responsible for keeping your password, trade password, and email account secure. Orders placed with them are treated as yours. Notify us immediately if you suspect unauthorized use.',
      'An order is binding once it has been accepted. You may cancel an open order until it is filled. Fills are final.',
      'Fees are shown before you place an order and are deducted from what you receive. Changes to fee rates apply to future orders only.',
      'We may halt a market if its prices are unreliable or if the law requires it. A halt applies to all users, and open orders can still be canceled.',
      'You may close your account at any time, provided it has no balance and no open orders.',
    ].join('\n\n'),
    'zh-CN': [
      '注册账户即表示您确认：您已达到法定年龄、以本人名义行事，且所在地法律允许您交易加密资产。',
      '您应妥善保管登录密码、资金密码和邮箱。凭其提交的委托视为您本人操作。如怀疑被盗用，请立即告知我们。',
      '委托一经受理即具约束力。未成交的委托可以撤销，成交后不可撤回。',
      '手续费在下单前显示，并从到账资产中扣除。费率调整仅适用于之后的委托。',
      '当价格不可靠或法律要求时，我们可暂停交易对。暂停对所有人适用，当前委托仍可撤销。',
      '账户无余额且无当前委托时，您可随时注销账户。',
    ].join('\n\n'),
    'ko-KR': [
      '계정을 개설하면 본인이 성년이고, 본인을 위해 직접 거래하며, 거주지 법률상 가상자산 거래가 허용됨을 확인한 것으로 봅니다.',
      '비밀번호, 자금 비밀번호, 이메일 계정을 안전하게 관리하세요. 이를 이용해 접수된 주문은 본인의 주문으로 간주됩니다. 도용이 의심되면 즉시 알려 주세요.',
      '주문은 접수되는 즉시 효력이 발생합니다. 미체결 주문은 체결 전까지 취소할 수 있으며, 체결된 거래는 취소할 수 없습니다.',
      '수수료는 주문 전에 표시되며, 받는 자산에서 차감됩니다. 수수료율 변경은 이후 주문에만 적용됩니다.',
      '가격을 신뢰할 수 없거나 법률상 필요한 경우 마켓의 거래를 중단할 수 있습니다. 중단은 모두에게 적용되며, 미체결 주문은 계속 취소할 수 있습니다.',
      '잔고와 미체결 주문이 없으면 언제든지 계정을 해지할 수 있습니다.',
    ].join('\n\n'),
    'ja-JP': [
      'アカウントを作成された時点で、お客様は、成年に達していること、ご自身のために取引すること、お住まいの地域の法律で暗号資産の取引が認められていることを表明したものとみなします。',
      'パスワード、資金パスワード、メールアカウントは安全に管理してください。これらを用いて行われた注文は、ご本人による注文とみなします。不正利用が疑われる場合は、直ちにご連絡ください。',
      '注文は受け付けられた時点で効力が生じます。未約定の注文は約定するまで取り消せます。約定は取り消せません。',
      '手数料は注文前に表示され、受け取る資産から差し引かれます。料率の変更は、変更後の注文にのみ適用されます。',
      '価格の信頼性が損なわれた場合や法令上必要な場合は、取引を停止することがあります。停止はすべてのお客様に適用され、停止中も未約定の注文は取り消せます。',
      '残高と未約定の注文がなければ、いつでもアカウントを解約できます。',
    ].join('\n\n'),
  },
};

/** What they are told of their data, and agree to with it. */
export const PRIVACY_POLICY: Agreement = {
  version: AGREEMENT_VERSIONS.privacy,
  text: {
    'en-US': [
      'We store your email address, hashes of your passwords, your orders, your balance changes, and the time, device, and IP address of each login.',
      'We use this data to operate and protect your account and to meet our legal obligations. We do not sell your data, and we show no ads.',
      'Your device’s local storage holds your session, your language, and a few display settings. We do not use tracking cookies.',
      'You may request a copy of your data or its deletion. Ledger entries are retained for as long as the law requires.',
    ].join('\n\n'),
    'zh-CN': [
      '我们存储您的邮箱、密码的哈希值、委托、资金变动，以及登录的时间、设备和 IP 地址。',
      '这些数据仅用于运行和保护您的账户以及履行法律义务。我们不出售数据，也不投放广告。',
      '我们仅在您的设备本地存储会话、语言和少量显示设置，不使用跟踪 Cookie。',
      '您可申请获取您的数据副本或删除您的数据。账本记录按法律要求的期限保存。',
    ].join('\n\n'),
    'ko-KR': [
      '이메일 주소, 비밀번호 해시, 주문, 잔고 변동, 로그인 시간·기기·IP 주소를 저장합니다.',
      '이 데이터는 계정의 운영과 보호, 법적 의무 이행에만 사용합니다. 데이터를 판매하지 않으며 광고도 게재하지 않습니다.',
      '기기의 로컬 저장소에는 세션, 언어, 일부 화면 설정만 보관합니다. 추적 쿠키는 사용하지 않습니다.',
      '본인 데이터의 사본을 받거나 삭제해 달라고 요청할 수 있습니다. 원장 기록은 법률이 정한 기간 동안 보관합니다.',
    ].join('\n\n'),
    'ja-JP': [
      '当社は、メールアドレス、パスワードのハッシュ値、注文、残高の変動、ログインの日時・端末・IPアドレスを保存します。',
      'これらのデータは、アカウントの運営と保護、および法的義務の履行のために利用します。第三者に販売することはなく、広告も表示しません。',
      '端末のローカルストレージには、セッション、言語、一部の表示設定のみを保存します。トラッキングCookieは使用しません。',
      'ご自身のデータの開示や削除を請求できます。台帳の記録は、法令で定められた期間保存します。',
    ].join('\n\n'),
  },
};
