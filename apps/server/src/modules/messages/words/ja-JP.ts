import type { MessageKind, MessageWords } from '../domain.ts';

export const jaJP: Readonly<Record<MessageKind, MessageWords>> = {
  welcome: {
    title: 'Amethystへようこそ',
    summary: 'アカウントを開設しました。3つの手順でより安全になります。',
    content:
      'アカウントを開設しました。\n\n' +
      '資金パスワードを設定してください。資金を動かすときに入力します。\n\n' +
      '初回の出金前に本人確認を完了してください。\n\n' +
      '当社がメール・電話・チャットでパスワードや認証コードをお尋ねすることはありません。',
  },
  newDevice: {
    title: '新しいログイン',
    summary: '{{device}}、{{address}}',
    content:
      '初めての端末からアカウントへのログインがありました。\n\n' +
      '端末：{{device}}\nIPアドレス：{{address}}\n日時：{{time}}\n\n' +
      '心当たりがない場合は、すぐにパスワードを変更してください。他のすべてのセッションが終了します。',
  },
  passwordChanged: {
    title: 'パスワードの変更',
    summary: '他のセッションは終了しました。{{until}}まで出金を停止しています。',
    content:
      '{{time}}にログインパスワードが変更されました。他のすべてのセッションを終了し、{{until}}まで出金を停止しています。\n\n' +
      '心当たりがない場合は、直ちにパスワードを再設定し、サポートにご連絡ください。',
  },
  passwordReset: {
    title: 'パスワードの再設定',
    summary: 'すべてのセッションは終了しました。{{until}}まで出金を停止しています。',
    content:
      '{{time}}にメール認証コードでログインパスワードが再設定されました。すべてのセッションを終了し、{{until}}まで出金を停止しています。\n\n' +
      '心当たりがない場合は、メールアカウントを保護したうえでパスワードを再度設定し、サポートにご連絡ください。',
  },
  tradePasswordSet: {
    title: '資金パスワードの設定',
    summary: '資金を動かすときに入力します。',
    content:
      '{{time}}にアカウントの資金パスワードが設定されました。\n\n' +
      '心当たりがない場合は、直ちにログインパスワードを変更し、サポートにご連絡ください。',
  },
  tradePasswordChanged: {
    title: '資金パスワードの変更',
    summary: '24時間出金を停止しています。',
    content:
      '{{time}}にアカウントの資金パスワードが変更されました。24時間出金を停止しています。\n\n' +
      '心当たりがない場合は、直ちにログインパスワードを変更し、サポートにご連絡ください。',
  },
  tradePasswordLocked: {
    title: '資金パスワードのロック',
    summary: '入力の誤りが続きました。',
    content:
      '資金パスワードの入力の誤りが続いたため、24時間ロックしました。早く解除するには、セキュリティ設定で「資金パスワードをお忘れですか？」を選択してください。ログインパスワードとメール認証コードが必要です。\n\n' +
      '心当たりがない場合は、直ちにログインパスワードを変更してください。',
  },
  authenticatorBound: {
    title: '認証アプリの追加',
    summary: '今後、ログインと資金移動には認証アプリのコードが必要です。',
    content:
      '{{time}}にアカウントに認証アプリが設定されました。今後、ログインと資金移動にはそのコードが必要です。\n\n' +
      'リカバリーコードは安全な場所に保管してください。各コードは認証アプリの代わりに一度だけ使えます。\n\n' +
      '心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  authenticatorRemoved: {
    title: '認証アプリの解除',
    summary: '24時間出金を停止しています。',
    content:
      '{{time}}にアカウントの認証アプリが解除されました。24時間出金を停止しています。\n\n' +
      '心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  recoveryCodeUsed: {
    title: 'リカバリーコードの使用',
    summary: '認証アプリの代わりに使用され、再度は使えません。',
    content:
      '{{time}}に認証アプリの代わりにリカバリーコードが使用されました。このコードは再度使えません。\n\n' +
      '心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  recoveryCodesRenewed: {
    title: 'リカバリーコードの再発行',
    summary: '以前のコードは使えません。',
    content:
      '{{time}}にアカウントのリカバリーコードが再発行されました。以前のコードは使えません。\n\n' +
      '心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  emailChanged: {
    title: 'メールアドレスの変更',
    summary: '24時間出金を停止しています。',
    content:
      '{{time}}にアカウントのメールアドレスが変更されました。他のセッションを終了し、24時間出金を停止しています。\n\n' +
      '心当たりがない場合は、直ちにアカウントを凍結し、サポートにご連絡ください。',
  },
  priceRose: {
    title: '{{pair}}が{{price}} {{unit}}まで上昇',
    summary: '価格アラート：{{limit}} {{unit}}以上。',
    content:
      '{{time}}の{{pair}}の最新価格は{{price}} {{unit}}です。\n\n' +
      '{{limit}} {{unit}}以上で通知するよう設定されています。',
  },
  priceFell: {
    title: '{{pair}}が{{price}} {{unit}}まで下落',
    summary: '価格アラート：{{limit}} {{unit}}以下。',
    content:
      '{{time}}の{{pair}}の最新価格は{{price}} {{unit}}です。\n\n' +
      '{{limit}} {{unit}}以下で通知するよう設定されています。',
  },
  priceMoved: {
    title: '{{pair}}が{{percent}}%変動',
    summary: '{{from}}から{{price}} {{unit}}に変動。',
    content:
      '{{time}}の{{pair}}の最新価格は{{price}} {{unit}}で、{{from}} {{unit}}から{{percent}}%変動しました。\n\n' +
      '{{limit}}%以上の変動で通知するよう設定されています。',
  },
  buyFilled: {
    title: '買い注文が約定：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で買いました。',
    content:
      '{{time}}に買い注文の全数量が約定しました。\n\n' +
      'ペア：{{pair}}\n買付数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  sellFilled: {
    title: '売り注文が約定：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で売りました。',
    content:
      '{{time}}に売り注文の全数量が約定しました。\n\n' +
      'ペア：{{pair}}\n売却数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  buyPartlyFilled: {
    title: '買い注文が一部約定で終了：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で買いました。残りは約定していません。',
    content:
      '{{time}}に買い注文が終了しました。一部が約定し、残りのために拘束されていた資金は利用可能に戻りました。\n\n' +
      'ペア：{{pair}}\n買付数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  exitsNotPlaced: {
    title: '利確・損切り注文を発注できませんでした：{{pair}}',
    summary: '{{amount}} {{coin}}には利確・損切り注文がありません。',
    content:
      '{{time}}、買い注文に設定された利確・損切り注文を発注できませんでした。理由は注文の詳細に表示されます。買い付けた分は現物口座にあり、ご自身で注文できます。\n\n' +
      'ペア：{{pair}}\n買付数量：{{amount}} {{coin}}\n注文番号：{{order}}',
  },
  sellPartlyFilled: {
    title: '売り注文が一部約定で終了：{{pair}}',
    summary: '{{amount}} {{coin}}を平均{{price}} {{unit}}で売りました。残りは約定していません。',
    content:
      '{{time}}に売り注文が終了しました。一部が約定し、残りのために拘束されていた資金は利用可能に戻りました。\n\n' +
      'ペア：{{pair}}\n売却数量：{{amount}} {{coin}}\n平均約定価格：{{price}} {{unit}}\n金額：{{total}} {{unit}}\n手数料：{{fee}} {{feeCoin}}\n注文番号：{{order}}',
  },
  secondsNoPrice: {
    title: '秒コントラクト：金額と手数料の返金',
    summary: '{{amount}} {{coin}}を秒コントラクト口座に返金しました。',
    content:
      'エントリー時または満期時のインデックス価格がないため、ポジションの結果は確定しませんでした。金額と手数料は全額返金しました。\n\n' +
      'ペア：{{pair}}\n期間：{{seconds}}秒\nエントリー日時：{{time}}\n金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
  },
  secondsIntervalVoid: {
    title: '秒コントラクト：金額と手数料の返金',
    summary: '{{amount}} {{coin}}を秒コントラクト口座に返金しました。',
    content:
      'ポジションに関わる区間が無効とされたため、結果は確定しませんでした。金額と手数料は全額返金しました。無効の告知と理由は検証ページで公開しています。\n\n' +
      'ペア：{{pair}}\n期間：{{seconds}}秒\nエントリー日時：{{time}}\n金額：{{stake}} {{coin}}\n手数料：{{fee}} {{coin}}\nポジション番号：{{order}}',
  },
  subscriptionAllocated: {
    title: '{{amount}} {{unit}}が配分されました',
    summary: '支払額{{total}} {{coin}}、返金額{{price}} {{coin}}。',
    content:
      '申込の配分が完了しました。\n\n' +
      '申込額：{{principal}} {{coin}}\n配分：{{amount}} {{unit}}\n支払額：{{total}} {{coin}}\n返金額：{{price}} {{coin}}\n上場：{{start}}\n\n' +
      '配分は、申込履歴から公開ファイルと照合できます。',
  },
  subscriptionRefunded: {
    title: '申込の返金：{{principal}} {{coin}}',
    summary: '{{unit}}の配分はありませんでした。全額を現物口座に返金しました。',
    content:
      '{{unit}}の申込では、トークンの配分がありませんでした。申込額は全額返金されました。\n\n' +
      '返金額：{{principal}} {{coin}}\n\n結果は、申込履歴の公開ファイルで確認できます。',
  },
  miningStarted: {
    title: 'マイニング商品を購入：{{principal}} {{coin}}',
    summary: '{{days}}日サイクル、{{start}}から収益が発生します。',
    content:
      'マイニング商品を購入しました。\n\n' +
      '金額：{{principal}} {{coin}}\nサイクル：{{days}}日\n収益開始：{{start}}\nサイクル終了：{{end}}\n注文番号：{{order}}\n\n' +
      '毎日の収益は翌日00:10 UTCに入金されます。サイクル終了後は、いつでも元本を償還できます。',
  },
  miningIncome: {
    title: 'マイニング収益の入金：{{amount}} {{coin}}',
    summary: '{{days}}日の注文{{principal}} {{coin}}の収益です。',
    content:
      '1日分の収益が現物口座に入金されました。\n\n' +
      '収益：{{amount}} {{coin}}\n金額：{{principal}} {{coin}}\nサイクル：{{days}}日\nサイクル終了：{{end}}\n注文番号：{{order}}',
  },
  miningEnded: {
    title: 'マイニング注文が償還可能：{{principal}} {{coin}}',
    summary: 'サイクルが終了し、以後の収益は発生しません。',
    content:
      'マイニング注文のサイクルが終了しました。いつでも現物口座に償還でき、すぐに入金されます。\n\n' +
      '金額：{{principal}} {{coin}}\n収益合計：{{total}} {{coin}}\nサイクル：{{days}}日\nサイクル終了：{{end}}\n注文番号：{{order}}',
  },
  miningRedeemed: {
    title: 'マイニング注文を償還：{{principal}} {{coin}}',
    summary: '元本が現物口座に入りました。',
    content:
      'マイニング注文を現物口座に償還しました。\n\n' +
      '金額：{{principal}} {{coin}}\n収益合計：{{total}} {{coin}}\nサイクル：{{days}}日\n注文番号：{{order}}',
  },
  fundBought: {
    title: '{{fund}}：{{quantity}}口を購入',
    summary: '基準価額{{value}} {{coin}}、レバレッジ{{leverage}}×、証拠金{{margin}} {{coin}}。',
    content:
      'ファンドの購入が、受付後最初の基準価額で約定しました。\n\n' +
      'ファンド：{{fund}}\n口数：{{quantity}}\n基準価額：{{value}} {{coin}}\nレバレッジ：{{leverage}}×\n証拠金：{{margin}} {{coin}}\n清算の基準：{{limit}}未満\nポジション番号：{{order}}',
  },
  fundCancelled: {
    title: '{{fund}}：購入の取消',
    summary: '{{margin}} {{coin}}を現物口座に返金しました。',
    content:
      'ファンドの購入は約定しませんでした。時間内に信頼できる基準価額が得られなかったか、金額が最小単位に満たなかったか、ファンドが終了したためです。証拠金は現物口座に返金しました。\n\n' +
      'ファンド：{{fund}}\n返金額：{{margin}} {{coin}}\nポジション番号：{{order}}',
  },
  fundWarned: {
    title: '{{fund}}：証拠金維持率が{{ratio}}を下回りました',
    summary: '基準価額は{{value}} {{coin}}です。{{limit}}を下回ると清算されます。',
    content:
      'ポジションの証拠金維持率が{{ratio}}を下回りました。1を下回ると清算されます。証拠金の追加または一部売却でリスクを下げられます。\n\n' +
      'ファンド：{{fund}}\n口数：{{quantity}}\n基準価額：{{value}} {{coin}}\n清算の基準：{{limit}} {{coin}}未満\n証拠金：{{margin}} {{coin}}\nポジション番号：{{order}}',
  },
  fundLiquidated: {
    title: '{{fund}}：ポジションを清算',
    summary: '清算価額{{value}} {{coin}}、返還額{{amount}} {{coin}}。',
    content:
      '評価額が維持証拠金を下回ったため、その基準価額でポジションを決済しました。\n\n' +
      'ファンド：{{fund}}\n口数：{{quantity}}\n取得価額：{{price}} {{coin}}\n清算価額：{{value}} {{coin}}\n返還額：{{amount}} {{coin}}\n日時：{{time}}\nポジション番号：{{order}}\n\n' +
      'この清算は、保有ファンドの履歴から価格記録と照合できます。',
  },
  fundSold: {
    title: '{{fund}}：指値売却が約定',
    summary: '{{quantity}}口を{{value}} {{coin}}で売却、受取額{{amount}} {{coin}}。',
    content:
      'ファンドの指値売却注文が約定しました。\n\n' +
      'ファンド：{{fund}}\n口数：{{quantity}}\n取得価額：{{price}} {{coin}}\n売却価額：{{value}} {{coin}}\n受取額：{{amount}} {{coin}}\n日時：{{time}}\nポジション番号：{{order}}',
  },
  fundExited: {
    title: '{{fund}}の終了：{{amount}} {{coin}}を返還',
    summary: '全口を{{value}} {{coin}}で償還しました。',
    content:
      'ファンドが終了し、全口を最後の基準価額で償還しました。\n\n' +
      'ファンド：{{fund}}\n口数：{{quantity}}\n取得価額：{{price}} {{coin}}\n償還価額：{{value}} {{coin}}\n受取額：{{amount}} {{coin}}\n日時：{{time}}\nポジション番号：{{order}}',
  },
  financeBought: {
    title: '定期運用商品を購入：{{principal}} {{coin}}',
    summary: '{{days}}日、{{start}}から利息が付きます。',
    content:
      '定期運用商品を購入しました。\n\n' +
      '金額：{{principal}} {{coin}}\n期間：{{days}}日\n利息開始：{{start}}\n満期：{{end}}\n注文番号：{{order}}\n\n' +
      '金額は満期までロックされます。中途解約はできません。',
  },
  financeIncome: {
    title: '利息の入金：{{amount}} {{coin}}',
    summary: '{{days}}日の注文{{principal}} {{coin}}の利息です。',
    content:
      '1日分の利息が現物口座に入金されました。\n\n' +
      '利息：{{amount}} {{coin}}\n元本：{{principal}} {{coin}}\n期間：{{days}}日\n満期：{{end}}\n注文番号：{{order}}',
  },
  financeMatured: {
    title: '定期運用商品が満期：{{principal}} {{coin}}',
    summary: '元本と利息が現物口座に入りました。',
    content:
      '定期運用の注文が満期を迎え、現物口座に支払われました。\n\n' +
      '元本：{{principal}} {{coin}}\n利息合計：{{total}} {{coin}}\n期間：{{days}}日\n満期：{{end}}\n注文番号：{{order}}',
  },
  identityVerified: {
    title: '本人確認の完了',
    summary: '商品の購入、コンバート、1日最大{{day}} USDTの出金が可能になりました。',
    content:
      '{{time}}に本人確認が完了しました。\n\n' +
      '商品の購入とコンバート、24時間以内に{{day}} USDT、30日間に{{month}} USDTまでの出金をご利用いただけます。\n\n' +
      '確認済みの情報は変更できません。書類の写真は、この審査結果の{{days}}日後に削除されます。',
  },
  identityRejected: {
    title: '本人確認は未完了です',
    summary: '書類を承認できませんでした。内容を確認して再提出してください。',
    content:
      '{{time}}に審査しましたが、承認できませんでした。\n\n' +
      '「本人確認」で理由をご確認ください。問題のない内容は保持されます。{{next}}から再提出できます。',
  },
  depositCredited: {
    title: '入金完了：{{amount}} {{coin}}',
    summary: '現物口座で利用できます。',
    content:
      '入金が承認され、現物口座に反映されました。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nTxID：{{txid}}\n反映日時：{{time}}',
  },
  depositRejected: {
    title: '入金は反映されませんでした：{{amount}} {{coin}}',
    summary: '入金証明を審査しました。理由は入金履歴に表示されます。',
    content:
      'ご報告の入金を審査した結果、反映できませんでした。理由は入金履歴に表示されます。\n\n数量：{{amount}} {{coin}}\nネットワーク：{{network}}\n審査日時：{{time}}',
  },
  withdrawalHeld: {
    title: '出金の申請：{{amount}} {{coin}}',
    summary: '{{network}}で{{arrival}} {{coin}}が届きます。',
    content:
      '出金の申請を受け付けました。心当たりがない場合は、直ちにキャンセルし、アカウントを凍結してください。\n\n' +
      '数量：{{amount}} {{coin}}\n手数料：{{fee}} {{coin}}\n受取額：{{arrival}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n申請日時：{{time}}',
  },
  withdrawalFinished: {
    title: '出金完了：{{amount}} {{coin}}',
    summary: '{{network}}で{{arrival}} {{coin}}が届きました。',
    content:
      'ネットワークで出金が承認されました。\n\n' +
      '受取額：{{arrival}} {{coin}}\n手数料：{{fee}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\nTxID：{{txid}}\n完了日時：{{time}}',
  },
  withdrawalRejected: {
    title: '出金の拒否：{{amount}} {{coin}}',
    summary: '全額を現物口座に返還しました。',
    content:
      '出金は承認されませんでした。理由は出金履歴に表示されます。全額を現物口座に返還しました。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\n拒否日時：{{time}}',
  },
  withdrawalFailed: {
    title: '出金失敗：{{amount}} {{coin}}',
    summary: '全額が現物口座に戻りました。',
    content:
      'ネットワークに送金が拒否されたため、資産は送金されていません。手数料を含む全額を現物口座に戻しました。\n\n' +
      '数量：{{amount}} {{coin}}\nネットワーク：{{network}}\nアドレス：{{address}}\nTxID：{{txid}}\n失敗日時：{{time}}',
  },
  operatorNote: {
    title: '{{title}}',
    summary: '{{summary}}',
    content: '{{content}}\n\nAmethystカスタマーサポートからのお知らせです。',
  },
  supportAnswered: {
    title: 'カスタマーサポートから回答がありました',
    summary: 'お問い合わせに回答しました。',
    content: '{{answer}}\n\nお問い合わせ内容：\n{{question}}',
  },
  inviteRewarded: {
    title: '招待報酬の入金',
    summary: '{{day}}の取引手数料から{{amounts}}を受け取りました。',
    content:
      '招待した友達が支払った取引手数料のうち、あなたの取り分が現物口座に入金されました。\n\n' +
      '報酬：{{amounts}}\n取引日：{{day}}（UTC）\n取引した友達：{{people}}人\n\n' +
      'すべての報酬は友達招待の画面で確認できます。',
  },
};
