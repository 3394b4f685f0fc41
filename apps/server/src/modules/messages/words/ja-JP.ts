import type { MessageWords, OwnMessageKind } from '../domain.ts';

export const jaJP: Readonly<Record<OwnMessageKind, MessageWords>> = {
  welcome: {
    title: 'Amethystへようこそ',
    summary: 'アカウントを作成しました。3つの設定でさらに安全になります。',
    content:
      'アカウントを作成しました。\n\n' +
      '資金パスワードを設定してください。資金を動かすときに入力します。\n\n' +
      '初回の出金前に本人確認を完了してください。\n\n' +
      '当社がメール・電話・チャットでパスワードや認証コードをお尋ねすることはありません。',
  },
  agreementsChanged: {
    title: '利用規約とプライバシーポリシーの変更',
    summary: '利用規約の第{{terms}}版とプライバシーポリシーの第{{privacy}}版が発効しました。',
    content:
      'お客様のアカウントに適用される文書が変わりました。利用規約の第{{terms}}版とプライバシーポリシーの第{{privacy}}版が発効しています。\n\n' +
      'どちらも「会社概要」からお読みいただけます。保有中の商品には購入時の条件が引き続き適用されます。変更に同意されない場合は、解約することができます。\n\n' +
      '引き続きご利用になる場合、お手続きは不要です。',
  },
  newDevice: {
    title: '新しいログイン',
    summary: '{{device}}、{{address}}',
    content:
      'これまで使われたことのない端末から、アカウントへのログインがありました。\n\n' +
      '端末：{{device}}\nIPアドレス：{{address}}\n日時：{{time}}\n\n' +
      'お心当たりがない場合は、すぐにパスワードを変更してください。他のすべてのセッションが終了します。',
  },
  newNetwork: {
    title: '新しいログイン',
    summary: '{{device}}、{{address}}',
    content:
      'これまで使われたことのないネットワークから、アカウントへのログインがありました。端末は以前にも使われたものです。\n\n' +
      '端末：{{device}}\nIPアドレス：{{address}}\n日時：{{time}}\n\n' +
      'お心当たりがない場合は、すぐにパスワードを変更してください。他のすべてのセッションが終了します。',
  },
  newDeviceAndNetwork: {
    title: '新しいログイン',
    summary: '{{device}}、{{address}}',
    content:
      'これまで使われたことのない端末とネットワークから、アカウントへのログインがありました。\n\n' +
      '端末：{{device}}\nIPアドレス：{{address}}\n日時：{{time}}\n\n' +
      'お心当たりがない場合は、すぐにパスワードを変更してください。他のすべてのセッションが終了します。',
  },
  passwordChanged: {
    title: 'パスワードの変更',
    summary: '他のセッションは終了しました。{{until}}まで出金を停止しています。',
    content:
      '{{time}}に、ログインパスワードが変更されました。他のすべてのセッションを終了し、{{until}}まで出金を停止しています。\n\n' +
      'お心当たりがない場合は、直ちにパスワードを再設定し、サポートにご連絡ください。',
  },
  passwordReset: {
    title: 'パスワードの再設定',
    summary: 'すべてのセッションは終了しました。{{until}}まで出金を停止しています。',
    content:
      '{{time}}に、メール認証コードを使ってログインパスワードが再設定されました。すべてのセッションを終了し、{{until}}まで出金を停止しています。\n\n' +
      'お心当たりがない場合は、メールアカウントの安全を確保したうえで、パスワードをもう一度再設定し、サポートにご連絡ください。',
  },
  passwordResetWithPasskeys: {
    title: 'パスワードの再設定',
    summary: 'パスキーをご確認ください。{{until}}まで出金を停止しています。',
    content:
      '{{time}}に、メール認証コードを使ってログインパスワードが再設定されました。すべてのセッションを終了し、{{until}}まで出金を停止しています。\n\n' +
      '次のパスキーでは引き続きログインできます。\n{{passkeys}}\nお心当たりのないパスキーは、セキュリティ画面で削除してください。\n\n' +
      'お心当たりがない場合は、メールアカウントの安全を確保したうえで、パスワードをもう一度再設定し、サポートにご連絡ください。',
  },
  tradePasswordSet: {
    title: '資金パスワードの設定',
    summary: '資金を動かすときに入力します。',
    content:
      '{{time}}に、アカウントの資金パスワードが設定されました。\n\n' +
      'お心当たりがない場合は、直ちにログインパスワードを変更し、サポートにご連絡ください。',
  },
  tradePasswordChanged: {
    title: '資金パスワードの変更',
    summary: '出金を24時間停止しています。',
    content:
      '{{time}}に、アカウントの資金パスワードが変更されました。出金を24時間停止しています。\n\n' +
      'お心当たりがない場合は、直ちにログインパスワードを変更し、サポートにご連絡ください。',
  },
  tradePasswordLocked: {
    title: '資金パスワードのロック',
    summary: '入力の誤りが続いたため、ロックされました。',
    content:
      '入力の誤りが続いたため、資金パスワードを24時間ロックしました。それより早く解除するには、「セキュリティ」で「資金パスワードをお忘れですか？」を選択してください。ログインパスワードとメール認証コードが必要です。\n\n' +
      'お心当たりがない場合は、直ちにログインパスワードを変更してください。',
  },
  accountFrozen: {
    title: 'アカウントの凍結',
    summary: '解除についてはサポートにお問い合わせください。',
    content:
      '{{time}}に、アカウントが凍結されました。すべてのセッションが終了し、取引、購入、出金ができない状態です。\n\n解除のご希望やご不明な点は、「ヘルプとお問い合わせ」からサポートにご連絡ください。ログインは不要です。',
  },
  authenticatorBound: {
    title: '認証アプリの追加',
    summary: '今後、ログインや資金の移動には認証アプリのコードが必要です。',
    content:
      '{{time}}に、アカウントに認証アプリが設定されました。今後、ログインや資金の移動には認証アプリのコードが必要です。\n\n' +
      'リカバリーコードは安全な場所に保管してください。1つにつき1回、認証アプリの代わりに使えます。\n\n' +
      'お心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  authenticatorRemoved: {
    title: '認証アプリの解除',
    summary: '出金を24時間停止しています。',
    content:
      '{{time}}に、アカウントの認証アプリが解除されました。出金を24時間停止しています。\n\n' +
      'お心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  recoveryCodeUsed: {
    title: 'リカバリーコードの使用',
    summary: '認証アプリの代わりに使用されました。同じコードは二度と使えません。',
    content:
      '{{time}}に、認証アプリの代わりにリカバリーコードが使用されました。同じコードは二度と使えません。\n\n' +
      'お心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  recoveryCodesRenewed: {
    title: 'リカバリーコードの再発行',
    summary: '以前のコードは使えません。',
    content:
      '{{time}}に、アカウントのリカバリーコードが再発行されました。以前のコードは使えません。\n\n' +
      'お心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  emailChanged: {
    title: 'メールアドレスの変更',
    summary: '出金を24時間停止しています。',
    content:
      '{{time}}に、アカウントのメールアドレスが変更されました。他のセッションを終了し、出金を24時間停止しています。\n\n' +
      'お心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  passkeyAdded: {
    title: 'パスキーの追加',
    summary: 'ログインに使用できます。出金を24時間停止しています。',
    content:
      '{{time}}に、アカウントにパスキー「{{name}}」が追加されました。ログインや操作の確認に使用できます。出金を24時間停止しています。\n\n' +
      'お心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  passkeyRemoved: {
    title: 'パスキーの削除',
    summary: '使用できなくなりました。出金を24時間停止しています。',
    content:
      '{{time}}に、アカウントのパスキー「{{name}}」が削除され、使用できなくなりました。出金を24時間停止しています。\n\n' +
      'お心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  passkeyCounter: {
    title: 'パスキーの確認',
    summary: '第三者に複製された可能性があります。',
    content:
      '{{time}}にパスキー「{{name}}」が使用されましたが、署名カウンターが増加していませんでした。第三者に複製された可能性があります。セキュリティ画面でこのパスキーを削除し、新しいパスキーを追加してください。\n\n' +
      'ご自身で使用していない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  apiKeyCreated: {
    title: 'APIキーを作成しました',
    summary: '「{{name}}」を{{time}}に作成しました。',
    content:
      'APIキー「{{name}}」を{{time}}に作成しました。このキーを持つプログラムは、許可された範囲でお客様のアカウントを操作できます。\n\nお心当たりがない場合は、すぐに「セキュリティ」でキーを失効させ、パスワードを変更してください。',
  },
  apiKeyNewAddress: {
    title: 'APIキーが新しいアドレスから使われました',
    summary: '「{{name}}」が{{address}}から使われました。',
    content:
      'APIキー「{{name}}」が新しいアドレスから使われました。\n\nIPアドレス：{{address}}\n日時：{{time}}\n\nお心当たりがない場合は、すぐに「セキュリティ」でキーを失効させてください。',
  },
  priceRose: {
    title: '{{pair}}が{{price}} {{unit}}まで上昇',
    summary: '価格アラート：{{limit}} {{unit}}以上',
    content:
      '{{time}}の{{pair}}の最新価格は{{price}} {{unit}}です。\n\n' +
      '{{limit}} {{unit}}以上で通知するよう設定されています。',
  },
  priceFell: {
    title: '{{pair}}が{{price}} {{unit}}まで下落',
    summary: '価格アラート：{{limit}} {{unit}}以下',
    content:
      '{{time}}の{{pair}}の最新価格は{{price}} {{unit}}です。\n\n' +
      '{{limit}} {{unit}}以下で通知するよう設定されています。',
  },
  priceMoved: {
    title: '{{pair}}が{{percent}}%変動',
    summary: '{{from}}から{{price}} {{unit}}に変動しました。',
    content:
      '{{time}}の{{pair}}の最新価格は{{price}} {{unit}}で、{{from}} {{unit}}から{{percent}}%変動しました。\n\n' +
      '{{limit}}%以上の変動で通知するよう設定されています。',
  },
  indexRose: {
    title: '{{pair}}のインデックス価格が{{price}} {{unit}}まで上昇',
    summary: '価格アラート：{{limit}} {{unit}}以上',
    content:
      '{{time}}の{{pair}}のインデックス価格は{{price}} {{unit}}です。\n\n' +
      '{{limit}} {{unit}}以上で通知するよう設定されています。',
  },
  indexFell: {
    title: '{{pair}}のインデックス価格が{{price}} {{unit}}まで下落',
    summary: '価格アラート：{{limit}} {{unit}}以下',
    content:
      '{{time}}の{{pair}}のインデックス価格は{{price}} {{unit}}です。\n\n' +
      '{{limit}} {{unit}}以下で通知するよう設定されています。',
  },
  indexMoved: {
    title: '{{pair}}のインデックス価格が{{percent}}%変動',
    summary: '{{from}}から{{price}} {{unit}}に変動しました。',
    content:
      '{{time}}の{{pair}}のインデックス価格は{{price}} {{unit}}で、{{from}} {{unit}}から{{percent}}%変動しました。\n\n' +
      '{{limit}}%以上の変動で通知するよう設定されています。',
  },
  buyFilled: {
    title: '買い注文が約定：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で買いました。',
    content:
      '{{time}}に、買い注文の全数量が約定しました。\n\n' +
      'ペア：{{pair}}\n買付数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  sellFilled: {
    title: '売り注文が約定：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で売りました。',
    content:
      '{{time}}に、売り注文の全数量が約定しました。\n\n' +
      'ペア：{{pair}}\n売却数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  buyPartlyFilled: {
    title: '買い注文が一部約定で終了：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で買いました。残りは約定していません。',
    content:
      '{{time}}に、買い注文が終了しました。一部のみ約定し、残りの拘束は解除されて利用可能に戻りました。\n\n' +
      'ペア：{{pair}}\n買付数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  exitsNotPlaced: {
    title: '利確・損切り注文を発注できませんでした：{{pair}}',
    summary: '約定した{{amount}} {{coin}}に対する利確・損切り注文は発注されませんでした。',
    content:
      '{{time}}に、ご注文に設定された利確・損切り注文を発注できませんでした。理由は注文の詳細でご確認ください。約定で受け取った分は現物口座にありますので、ご自身で注文を出すことができます。\n\n' +
      'ペア：{{pair}}\n約定数量：{{amount}} {{coin}}\n注文番号：{{order}}',
  },
  sellPartlyFilled: {
    title: '売り注文が一部約定で終了：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で売りました。残りは約定していません。',
    content:
      '{{time}}に、売り注文が終了しました。一部のみ約定し、残りの拘束は解除されて利用可能に戻りました。\n\n' +
      'ペア：{{pair}}\n売却数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  identityVerified: {
    title: '本人確認の完了',
    summary: '商品の購入、コンバート、1日最大{{day}} USDTの出金をご利用いただけます。',
    content:
      '{{time}}に、本人確認が完了しました。\n\n' +
      '商品の購入とコンバート、24時間で{{day}} USDT、30日間で{{month}} USDTまでの出金をご利用いただけます。\n\n' +
      '確認済みの情報は変更できません。書類の写真は、審査結果が出てから{{days}}日後に削除されます。',
  },
  identityRejected: {
    title: '本人確認が完了していません',
    summary: '書類が承認されませんでした。理由をご確認のうえ、再提出してください。',
    content:
      '{{time}}に審査が完了しましたが、ご提出の書類は承認に至りませんでした。\n\n' +
      '理由は「本人確認」の画面でご確認ください。問題のなかった内容は保持されます。{{next}}以降に再提出できます。',
  },
  depositCredited: {
    title: '入金完了：{{amount}} {{coin}}',
    summary: '現物口座で利用できます。',
    content:
      '入金が必要な承認数に達し、現物口座に反映されました。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nTxID：{{txid}}\n反映日時：{{time}}',
  },
  depositRejected: {
    title: '入金は反映されませんでした：{{amount}} {{coin}}',
    summary: 'ご提出の証明を確認しました。理由は入金履歴に表示されます。',
    content:
      'ご報告いただいた入金を確認した結果、反映できませんでした。理由は入金履歴に表示されます。\n\n数量：{{amount}} {{coin}}\nネットワーク：{{network}}\n確認日時：{{time}}',
  },
  withdrawalHeld: {
    title: '出金の申請：{{amount}} {{coin}}',
    summary: '{{network}}ネットワークで{{arrival}} {{coin}}が着金します。',
    content:
      '出金の申請を受け付けました。お心当たりがない場合は、直ちに出金を取り消し、アカウントを凍結してください。\n\n' +
      '数量：{{amount}} {{coin}}\n手数料：{{fee}} {{coin}}\n受取額：{{arrival}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n申請日時：{{time}}',
  },
  withdrawalByKey: {
    title: 'APIキーによる出金の申請：{{amount}} {{coin}}',
    summary: '{{network}}ネットワークで{{arrival}} {{coin}}が着金します。',
    content:
      'APIキー「{{key}}」を使うプログラムから出金の申請を受け付けました。意図しない申請の場合は、直ちに出金を取り消し、キーを失効させ、アカウントを凍結してください。\n\n' +
      '数量：{{amount}} {{coin}}\n手数料：{{fee}} {{coin}}\n受取額：{{arrival}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n申請日時：{{time}}',
  },
  withdrawalFinished: {
    title: '出金完了：{{amount}} {{coin}}',
    summary: '{{network}}ネットワークで{{arrival}} {{coin}}が着金しました。',
    content:
      'ネットワークで出金が承認されました。\n\n' +
      '受取額：{{arrival}} {{coin}}\n手数料：{{fee}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\nTxID：{{txid}}\n完了日時：{{time}}',
  },
  withdrawalRejected: {
    title: '出金の不承認：{{amount}} {{coin}}',
    summary: '全額が現物口座に戻りました。',
    content:
      '出金は承認されませんでした。理由は出金履歴に表示されます。全額が現物口座に戻りました。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n不承認の日時：{{time}}',
  },
  withdrawalFailed: {
    title: '出金失敗：{{amount}} {{coin}}',
    summary: '全額が現物口座に戻りました。',
    content:
      'ネットワークに送金が拒否されたため、送金は行われていません。手数料を含む全額が現物口座に戻りました。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\nTxID：{{txid}}\n失敗日時：{{time}}',
  },
  withdrawalReturned: {
    title: '出金の返金：{{amount}} {{coin}}',
    summary: '全額が現物口座に戻りました。',
    content:
      '出金は送金されておらず、今後も送金されません。理由は出金履歴でご確認いただけます。手数料を含む全額が現物口座に戻りました。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n返金日時：{{time}}',
  },
  withdrawalPaused: {
    title: '{{coin}}の出金を一時停止しています',
    summary: '{{amount}} {{coin}}の出金は、再開後に自動で処理されます。',
    content:
      '現在、{{network}}ネットワークでの{{coin}}の出金を一時停止しているため、お客様の出金はまだ送金されていません。出金額は引き続き確保され、再開後に自動で処理されます。お手続きは不要です。再開しましたらお知らせします。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n申請日時：{{time}}',
  },
  withdrawalResumed: {
    title: '{{coin}}の出金を再開しました',
    summary: '{{amount}} {{coin}}の出金処理を再開しました。',
    content:
      '{{network}}ネットワークでの{{coin}}の出金を再開し、お客様の出金の処理を続けています。お手続きは不要です。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n申請日時：{{time}}',
  },
  operatorNote: {
    title: '{{title}}',
    summary: '{{summary}}',
    content: '{{content}}\n\nこのメッセージはAmethystカスタマーサポートからお送りしました。',
  },
  supportAnswered: {
    title: 'カスタマーサポートから回答がありました',
    summary: 'お問い合わせへの回答が届いています。',
    content: '{{answer}}\n\nお問い合わせ内容：\n{{question}}',
  },
};
