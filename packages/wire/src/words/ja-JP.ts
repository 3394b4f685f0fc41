import type { RefusalKey } from '@exchange/core/refusal.ts';

export const jaJP: Readonly<Record<RefusalKey, string>> = {
  'l.error': '問題が発生しました。もう一度お試しください。',
  'l.not_found': '見つかりません。',
  'l.restore_not_compared':
    '先に、復元したデータベースを署名プログラムおよびチェーンと照合してください。手順はランブックにあります。',
  'l.restore_not_settled': '先に「復元後の支払い」のすべての支払いを処理してください。',
  'l.operator_sign_in': '名前、パスワード、またはコードが正しくありません。',
  'l.operator_wait': '{{limit}}回失敗しました。最大{{minutes}}分お待ちください。',
  'l.operator_code_missing':
    '認証アプリに表示される6桁の数字を入力してください。リカバリーコードでは操作を承認できません。',
  'l.operator_code_wrong':
    '認証コードが正しくありません。あと{{left}}回間違えると、すべての端末からログアウトされます。',
  'l.operator_code_used': 'このコードは使用済みです。{{seconds}}秒後に認証アプリに次のコードが表示されます。',
  'l.several_alone': 'この項目は個別に判断してください。',
  'l.several_max': '一度に処理できるのは{{limit}}件までです。',
  'l.several_value': '一度に承認できる合計額は{{limit}} USDTまでです。選択した合計は{{value}} USDTです。',
  'l.operator_codes_ended': '認証コードを{{limit}}回間違えたため、すべての端末からログアウトされました。',
  'l.second_person': '別の運営者の承認が必要です。',
  'l.above_ceiling':
    '現在の評価額は{{value}} USDTです。{{operator}}の役割で1回に決裁できる上限は{{limit}} USDTです。',
  'l.ceiling_unpriced':
    '{{unit}}は現在、価格を取得できません。{{operator}}の役割で1回に決裁できる上限は{{limit}} USDTのため、上限のない役割による決裁が必要です。',
  'l.claimed': 'この項目は{{operator}}が{{time}}（UTC）まで担当しています。',
  'l.call_interrupted':
    'この操作の実行中にサーバーが停止したため、すでに反映されている可能性があります。結果を確認してから、もう一度実行してください。',
  'l.answer_not_stored': 'この操作は完了しています。結果には、一度しか表示されない秘密情報が含まれています。',
  'l.evidence_changed':
    '申請後に対象の内容が変更されました。内容を確認し、却下したうえで申請し直してください。',
  'l.retype_amount': '表示されている{{unit}}の数量をもう一度入力してください。',
  'l.retype_destination': '表示されている{{unit}}の数量、または送付先の末尾4文字をもう一度入力してください。',
  'l.kyc_not_opened':
    '判断する前に、担当者それぞれが提出データ、表面、裏面を開いて確認する必要があります。未確認：{{missing}}',
  'l.kyc_note_internal':
    '制裁リストの該当やリスクを理由とする場合、お客様向けのコメントは付けられません。お客様には審査の結果とだけ表示されます。お客様には見えない「理由」に記入してください。',
  'l.proposal_over': 'この申請はすでに処理済みか、期限切れです。',
  'l.version_changed':
    '編集中にバージョン{{limit|plain}}が公開されました。この操作はバージョン{{value|plain}}を対象としています。もう一度ご確認ください。',
  'l.session_ended': 'セッションが終了しました。もう一度ログインしてください。',
  'l.rate_limited': 'リクエストが多すぎます。{{seconds}}秒後にもう一度お試しください。',
  'l.maintenance':
    '取引所を再起動しています。変更は行われていません。しばらくしてからもう一度お試しください。',
  'l.busy': 'サーバーが混み合っています。変更は行われていません。もう一度お試しください。',
  'l.outcome_to_check':
    '処理結果を確認できませんでした。すでに実行されている可能性があります。もう一度お試しになる前に、結果をご確認ください。',
  'l.outcome_unknown':
    '処理結果を確認できませんでした。すでに実行されている可能性があります。内容を変えずにもう一度送信してください。重複して実行されることはありません。',
  'l.duplicate_key': 'このリクエスト番号は、すでに別のリクエストで使われています。',
  'l.field_required': '{{field}}を入力してください。',
  'l.field_invalid': '{{field}}が正しくありません。',
  'l.field_repeated': '{{field}}が重複して送信されました。',
  'l.field_too_long': '{{field}}が長すぎます。',
  'l.field_number': '{{field}}には数値を入力してください。',
  'l.field_min': '{{field}}は{{limit}}以上にしてください。入力値：{{value}}',
  'l.field_max': '{{field}}は{{limit}}以下にしてください。入力値：{{value}}',
  'l.field_decimals': '{{field}}は小数点以下{{limit}}桁までです。入力値：{{value}}',
  'l.field_positive': '{{field}}は0より大きくしてください。',
  'l.field_choice': '{{field}}は選択肢の中から指定してください。',
  'l.period_backwards': '終了日が開始日より前です。',
  'l.body_form': 'リクエストはフォームエンコードである必要があります。',
  'l.body_too_large': 'リクエストが大きすぎます。',
  'l.body_encoding': 'リクエストが正しいUTF-8フォームデータではありません。',
  'l.cross_site': '他サイトのページからのリクエストは受け付けません。',
  'l.topic_unknown': 'トピック{{value|plain}}は存在しません。',
  'l.topics_max': '1接続で購読できるトピックは{{limit}}件までです。この要求では{{value}}件になります。',
  'l.connections_max':
    '1アカウントのリアルタイム接続は{{limit}}件までです。ログイン中の他のページやプログラムを閉じてください。',
  'l.enter_email': 'メールアドレスを入力してください。',
  'l.email_invalid': 'メールアドレスの形式が正しくありません。',
  'l.email_taken': 'このメールアドレスでは新しいアカウントを作成できません。',
  'l.enter_code': 'メールに記載のコードを入力してください。',
  'l.code_invalid': 'コードが正しくないか、有効期限が切れています。',
  'l.code_wait': '先ほど送信したコードがまだ有効です。再送信は{{seconds}}秒後にできます。',
  'l.code_budget': 'コードの送信が混み合っています。しばらくしてからもう一度お試しください。',
  'l.code_challenge': '現在コードの送信が混み合っています。先に端末で簡単な計算を行う必要があります。',
  'l.challenge_invalid': '計算結果が正しくないか、有効期限が切れています。もう一度コードを送信してください。',
  'l.code_act':
    '変更内容を入力した画面で認証コードをリクエストしてください。画面が古い場合は再読み込みしてください。',
  'l.ticket_invalid': '認証の有効期限が切れました。最初からやり直してください。',
  'l.password_length': 'パスワードは{{min}}～{{max}}文字にしてください。',
  'l.password_letter': 'パスワードの先頭は英字にしてください。',
  'l.password_digit': 'パスワードには数字を含めてください。',
  'l.password_common': '漏えいしたことのあるパスワードです。別のものを設定してください。',
  'l.password_contains_email': 'パスワードにメールアドレスの「@」より前の部分を含めることはできません。',
  'l.password_same': '新しいパスワードは、現在と異なるものにしてください。',
  'l.password_mismatch': 'パスワードが一致しません。',
  'l.password_wrong': 'パスワードが正しくありません。',
  'l.login_failed': 'メールアドレス、コード、またはパスワードが正しくありません。',
  'l.login_delayed': 'ログインの失敗が続いています。{{seconds}}秒後にもう一度お試しください。',
  'l.agree_required': '利用規約に同意してください。',
  'l.user_agreement': '最新の利用規約（バージョン{{limit|plain}}）をお読みのうえ、同意してください。',
  'l.privacy_policy':
    '最新のプライバシーポリシー（バージョン{{limit|plain}}）をお読みのうえ、同意してください。',
  'l.invite_unknown': 'この招待コードは存在しません。',
  'l.trade_password_format': '資金パスワードは6桁の数字にしてください。',
  'l.trade_password_obvious':
    'この資金パスワードは推測されやすいため使えません。別の数字を入力してください。',
  'l.trade_password_missing': '先に資金パスワードを設定してください。',
  'l.trade_password_required': '資金パスワードを入力してください。',
  'l.trade_password_wrong': '資金パスワードが正しくありません。残り{{left}}回です。',
  'l.trade_password_locked':
    '入力の誤りが続いたため、資金パスワードはロックされています。ログインパスワードとメール認証コードで再設定してください。',
  'l.verification_required': '先に本人確認を完了してください。',
  'l.account_shared':
    'このアカウントはデモの体験者全員で共有しているため、変更できません。ご自身のアカウントを登録してください。',
  'l.account_frozen':
    'このアカウントは凍結されています。解除については「ヘルプとお問い合わせ」からご連絡ください。ログインは不要です。',
  'l.notice_fixed': 'アカウントの保護に必要なメッセージのため、オフにできません。',
  'l.nickname_format': 'ニックネームは英字で始め、続けて英数字を7～24文字入力してください。',
  'l.authenticator_required': '認証アプリのコードを入力してください。',
  'l.authenticator_wrong':
    '認証アプリのコードが正しくないか、すでに使われています。次のコードをお待ちください。',
  'l.authenticator_bound': 'このアカウントにはすでに認証アプリが設定されています。',
  'l.authenticator_none': 'このアカウントには認証アプリが設定されていません。',
  'l.authenticator_key': '先に新しい認証アプリのキーを取得してください。',
  'l.passkey_failed': 'パスキーを確認できませんでした。もう一度お試しいただくか、別の方法をご利用ください。',
  'l.passkey_cancelled':
    'パスキーは使用されませんでした。もう一度お試しいただくか、別の方法をご利用ください。',
  'l.passkey_expired': '時間切れです。パスキーの操作をもう一度やり直してください。',
  'l.passkey_counter':
    'このパスキーは複製された可能性があるため、使用できません。別の方法をご利用のうえ、セキュリティ画面でこのパスキーを削除してください。',
  'l.passkey_known': 'このパスキーはすでに登録されています。',
  'l.passkeys_max': '登録できるパスキーは{{limit}}個までです。先に1つ削除してください。',
  'l.passkey_last':
    'これは最後のパスキーで、認証アプリも設定されていません。削除後はパスワードとメール認証コードのみでアカウントが保護されることをご確認ください。',
  'l.email_same': 'すでにご利用中のメールアドレスです。',
  'l.phrase_length': '4～20文字で入力してください。',
  'l.freeze_link':
    'このリンクは不完全か、発行から7日以上が経過しています。ログインしてアカウントを凍結するか、サポートにご連絡ください。',
  'l.code_other_deed':
    'コードが正しくないか、有効期限が切れているか、別の操作用に送信されたものです。新しいコードを請求してください。',
  'l.unknown_pair': 'このペアは取り扱っていません。',
  'l.pair_closed': 'このマーケットは現在停止しています。',
  'l.pair_cancel_only': 'このマーケットは現在、注文の取消のみ受け付けています。',
  'l.asset_halted':
    '確認のため、{{unit}}の取引と資金移動を一時停止しています。資金はそのままお預かりしています。',
  'l.price_required': '価格を入力してください。',
  'l.price_decimals': '価格は小数点以下{{limit}}桁までです。入力値：{{value}}',
  'l.price_band_low': '現在の下限価格は{{limit}} {{unit}}です。入力値：{{value}}',
  'l.price_band_high': '現在の上限価格は{{limit}} {{unit}}です。入力値：{{value}}',
  'l.amount_required': '数量を入力してください。',
  'l.amount_or_total': '数量か金額のどちらか一方を入力してください。',
  'l.amount_decimals': '数量は小数点以下{{limit}}桁までです。入力値：{{value}}',
  'l.amount_min': '{{limit}} {{unit}}以上で入力してください。入力値：{{value}}',
  'l.amount_max': '{{limit}} {{unit}}以下で入力してください。入力値：{{value}}',
  'l.total_min': '金額は{{limit}} {{unit}}以上にしてください。入力値：{{value}}',
  'l.insufficient_balance': '残高が不足しています。利用可能：{{limit}} {{unit}}、必要：{{value}} {{unit}}',
  'l.open_orders_max':
    'このペアの未約定注文は{{limit}}件までです。新しく注文するには、先に1件取り消してください。',
  'l.post_only_crosses':
    'すぐに約定する価格のため、ポストオンリー注文を受け付けませんでした。価格を変更するか、ポストオンリーをオフにしてください。',
  'l.fok_unfilled': 'この価格では全数量を約定できないため、何も約定しませんでした。',
  'l.no_liquidity': '現在、相手方の注文がありません。しばらくしてからもう一度お試しください。',
  'l.no_index': '現在、信頼できるインデックス価格がありません。しばらくしてからもう一度お試しください。',
  'l.self_trade': 'ご自身の注文同士が約定するため、受け付けられません。',
  'l.order_not_open': 'この注文はすでに終了しています。',
  'l.cancel_restricted': '約定状況がリクエストの条件と異なるため、注文は取り消されませんでした。',
  'l.time_in_force': 'この執行条件は注文種別に適用できません。',
  'l.purchase_not_permitted': 'このアカウントでは購入が制限されています。サポートにお問い合わせください。',
  'l.stop_price_required': 'トリガー価格を入力してください。',
  'l.stop_price_side':
    '最新価格{{last}} {{unit}}はすでにトリガー価格{{value}}を過ぎているため、注文はすぐに発動してしまいます。',
  'l.stop_unexpected': 'この注文種別では{{field}}を指定できません。',
  'l.stop_orders_max':
    '条件付き注文は1ペアにつき{{limit}}件までです。現在{{value}}件あります。新しく注文するには、先に1件取り消してください。',
  'l.no_last_price': 'このペアはまだ約定がなく、ストップ注文の基準となる価格がありません。',
  'l.activation_side':
    '売りは最新価格より高い価格、買いは最新価格より低い価格を有効化価格に入力してください。最新価格は{{last}} {{unit}}です。',
  'l.exits_order': '利確・損切りを設定できるのは、指値注文または成行注文のみです。',
  'l.exits_required': '利確価格または損切り価格を入力してください。',
  'l.take_profit_side': '利確価格は買付価格{{limit}} {{unit}}より高くしてください。入力値：{{value}}',
  'l.take_profit_side_sell': '利確価格は売却価格{{limit}} {{unit}}より低くしてください。入力値：{{value}}',
  'l.stop_loss_side': '損切り価格は{{limit}} {{unit}}より低くしてください。入力値：{{value}}',
  'l.stop_loss_side_sell': '損切り価格は{{limit}} {{unit}}より高くしてください。入力値：{{value}}',
  'l.trail_required': 'トレール幅を入力してください。',
  'l.trail_min': 'トレール幅は{{limit}}%以上にしてください。入力値：{{value}}%',
  'l.trail_max': 'トレール幅は{{limit}}%以下にしてください。入力値：{{value}}%',
  'l.expire_required': '注文の有効期限を選択してください。',
  'l.expire_past': '有効期限は現在より後にしてください。',
  'l.expire_far': '有効期限は{{limit}}日以内で設定してください。選択値：{{value}}',
  'l.ladder_count': 'ラダー注文は{{min}}～{{limit}}件で指定してください。入力値：{{value}}',
  'l.ladder_range':
    'この価格帯に設定できる価格は{{limit}}通りまでです（指定：{{value}}件）。価格帯を広げるか、件数を減らしてください。',
  'l.ladder_small':
    '1件の注文が{{value}} {{unit}}となり、最小値の{{limit}} {{unit}}を下回ります。数量を増やすか、件数を減らしてください。',
  'l.ladder_crosses_buy':
    'ラダー注文はすべて板に並ぶ価格で指定してください。買い価格{{value}}は最良売気配{{limit}} {{unit}}より低くする必要があります。',
  'l.ladder_crosses_sell':
    'ラダー注文はすべて板に並ぶ価格で指定してください。売り価格{{value}}は最良買気配{{limit}} {{unit}}より高くする必要があります。',
  'l.twap_spacing':
    '分割の間隔は{{seconds}}秒以上必要です。この期間では最大{{limit}}件です（入力値：{{value}}件）。',
  'l.twap_max': '同時に実行できるTWAP注文は{{limit}}件までです。先に1件終了してください。',
  'l.iceberg_slices':
    'アイスバーグ注文は{{min}}～{{limit}}件に分割されます。この表示数量では{{value}}件になります。',
  'l.iceberg_max': '同時に実行できるアイスバーグ注文は{{limit}}件までです。先に1件取り消してください。',
  'l.chase_no_price': '追跡注文は自分の側の最良気配を追いますが、現在その側に注文がありません。',
  'l.chase_max': '同時に実行できる追跡注文は{{limit}}件までです。先に1件取り消してください。',
  'l.grid_no_price': 'グリッド取引には売買両方の注文が板に必要ですが、現在は片側に注文がありません。',
  'l.grid_range': '上限価格は下限価格より高く、{{value}}本の異なる価格に分割できる幅が必要です。',
  'l.grid_stop_loss': '損切り価格は{{limit}} {{unit}}より低くしてください。',
  'l.grid_take_profit': '利確価格は{{limit}} {{unit}}より高くしてください。',
  'l.grid_outside': '現在値{{limit}} {{unit}}は、下限価格と上限価格の間にある必要があります。',
  'l.grid_fees':
    '手数料差引後の1グリッドあたりの利益が{{value}}%になります。価格の本数を減らすか、価格帯を広げてください。',
  'l.grid_small':
    'この本数で最小注文数量を満たすには、{{limit}} {{unit}}以上の投資額が必要です。入力値は{{value}} {{unit}}です。',
  'l.grid_liquidity':
    'スリッページの範囲内かつ最初の売り注文より低い価格では、開始時の買い付けが約定しません。スリッページを広げるか、本数または投資額を減らしてください。',
  'l.grid_max': '同時に実行できるグリッド取引は{{limit}}件までです。先に1件取り消してください。',
  'l.oco_prices':
    '指値{{limit}}とトリガー価格{{value}}は、一方を最新価格{{last}} {{unit}}より上、もう一方を下に設定してください。',
  'l.amend_nothing': '変更がありません。新しい値を入力してください。',
  'l.amend_type': 'この注文では、この項目を訂正できません。',
  'l.amend_filled':
    'この注文はすでに{{limit}} {{unit}}が約定しています。新しい数量はそれより大きくしてください。入力値：{{value}}',
  'l.amend_not_less':
    '新しい数量は、この注文の数量{{limit}} {{unit}}より小さくしてください。入力値：{{value}}',
  'l.export_range': 'エクスポートは最大{{limit}}日分です。選択値：{{value}}',
  'l.export_running': '別のエクスポートが実行中です。完了を待つか、中止してください。',
  'l.tax_computing': '計算中です。しばらくしてからもう一度お試しください。',
  'l.tax_costs_max': '取得価額を入力できる入金は {{limit}} 件までです。先にどれかを削除してください。',
  'l.tax_acquired_late': '取得日時は、コインが入金された日時以前にしてください。',
  'l.page_depth':
    '表示できるのは先頭から{{limit}}件までですが、このページは{{value}}件目まで含みます。期間を短くするか、エクスポートをご利用ください。',
  'l.favorites_max': 'お気に入りは{{limit}}件までです。追加するには、先に1件解除してください。',
  'l.push_endpoint': 'このブラウザーのプッシュサービスは利用できません。',
  'l.push_devices_max':
    'プッシュ通知を受け取れる端末は{{limit}}台までです。追加するには、先に1台削除してください。',
  'l.alerts_max': '価格アラートは{{limit}}件までです。追加するには、先に1件削除してください。',
  'l.alert_reached_index':
    'インデックス価格は{{limit}} {{unit}}で、すでに条件に達しています。別の価格を設定してください。入力値：{{value}}',
  'l.alert_moved': '価格はすでに{{window}}以内に{{limit}}%変動しています。入力値は{{value}}%です。',
  'l.alert_cross_source': '移動平均線は最新価格をもとに計算します。最新価格を選択してください。',
  'l.alert_history': '{{name}}の計算には確定したローソク足が{{limit}}本必要です。現在は{{value}}本です。',
  'l.alert_order_once':
    '注文を出すアラートは1回だけ発動します。繰り返しをオフにするか、注文を外してください。',
  'l.alert_order_late': 'アラートの発動から{{limit}}分を過ぎても注文を出せませんでした。',
  'l.alert_reached':
    '最新価格は{{limit}} {{unit}}で、すでに条件に達しています。別の価格を設定してください。入力値：{{value}}',
  'l.small_too_large':
    '少額資産は{{limit}} USDTまでです。お持ちの{{unit}}は{{value}} USDT相当のため、個別にコンバートしてください。',
  'l.small_nothing': '{{value}}の残高が少なすぎるため、コンバートできません。',
  'l.small_day': '少額資産の一括コンバートは1日（UTC）{{limit}}回までです。明日もう一度お試しください。',
  'l.recurring_max': '積立は{{limit}}件までです。追加するには、先に1件終了してください。',
  'l.recurring_shares': '配分の合計は{{limit}}%にしてください。現在の合計：{{value}}%',
  'l.recurring_coins': '銘柄は1回ずつ選び、支払いに使う銘柄は選べません：{{value}}',
  'l.recurring_ended': 'この積立は終了しています。新しく作成してください。',
  'l.api_keys_max': 'APIキーは{{limit}}個まで作成できます。追加するには、先に1つ失効させてください。',
  'l.api_key_public': 'Ed25519鍵ペアの公開鍵をPEM形式（BEGIN PUBLIC KEY）で貼り付けてください。',
  'l.api_key_address': '{{value}}は正しいIPアドレスではありません。',
  'l.api_key_addresses_max': '1つのキーに設定できるIPアドレスは{{limit}}件までです。',
  'l.api_key_withdraw_addresses': '出金できるキーには、プログラムのIPアドレスの指定が必要です。',
  'l.withdraw_key_address':
    'キーで出金できるのはアドレス帳のアドレスだけです。この通貨とネットワークのアドレスを登録し、24時間お待ちください。',
  'l.withdraw_key_limit':
    'このキーの出金上限は24時間あたり{{limit}} USDTです。今回の出金を含めると{{value}} USDTになります。',
  'l.withdraw_name_used': 'この名前は別の出金で使われています。',
  'l.sub_accounts_max':
    'サブアカウントは{{limit}}個まで作成できます。追加するには、先に1つアーカイブしてください。',
  'l.sub_accounts_ever_max':
    'アーカイブ済みを含めて{{limit}}個のサブアカウントを作成済みのため、これ以上作成できません。',
  'l.sub_account_name_used':
    '「{{value}}」という名前のサブアカウントはすでにあります。別の名前にしてください。',
  'l.sub_account_not_empty':
    'このサブアカウントにはまだ資産があります。注文をキャンセルし、すべてのコインを振り替えてからアーカイブしてください。',
  'l.sub_account_archived': 'このサブアカウントはアーカイブ済みのため、使用できません。',
  'l.sub_account_same': '振替元と振替先には異なるアカウントを選択してください。',
  'l.sub_account_key':
    'サブアカウントのキーでは口座間の振替はできません。メインアカウントのキーとして作成してください。',
  'l.faucet_wait': 'デモ資金は{{hours}}時間後にもう一度受け取れます。',
  'l.terms_changed':
    '条件が変更されたため、注文は受け付けられませんでした。新しい条件を確認して、もう一度お試しください。',
  'l.finance_soon': 'この商品はまだ販売されていません。',
  'l.finance_sold_out':
    '完売しました。残り枠{{value}} {{unit}}は最小金額{{limit}} {{unit}}を下回っています。',
  'l.finance_ended': 'この商品の販売は終了しました。',
  'l.finance_not_selling':
    '利息口座を補充しているため、この商品は現在販売していません。運用中の注文には影響ありません。',
  'l.finance_agreement': '先に最新の規約（バージョン{{limit|plain}}）に同意してください。',
  'l.finance_user_max': 'この商品はあと{{limit}} {{unit}}まで購入できます。入力値：{{value}}',
  'l.finance_product_max': 'この商品の残り枠は{{limit}} {{unit}}です。入力値：{{value}}',
  'l.finance_not_matured': 'この注文は満期までロックされます。中途解約はできません。',
  'l.convert_same': '異なる2つのコインを選択してください。',
  'l.convert_one_amount': '支払額か受取額のどちらか一方を入力してください。',
  'l.convert_inventory':
    '現在、この数量では見積もりを出せません。一度にコンバートできるのは{{limit}} {{unit}}までです。',
  'l.quote_expired': '見積もりの有効期限が切れました。新しい見積もりを取得してください。',
  'l.subscribe_foreign': 'この申込の{{unit}}は現在受け取れません。サポートまでお問い合わせください。',
  'l.asset_exists': '{{value}}はすでに当取引所に存在します。別のシンボルを入力してください。',
  'l.subscribe_soon': 'この申込はまだ始まっていません。',
  'l.subscribe_ended': 'この申込は終了しました。',
  'l.subscribe_begun': 'この申込はすでに始まっているため、条件は変更できません。',
  'l.subscribe_user_max': 'あと{{limit}} {{unit}}まで申し込めます。入力値：{{value}}',
  'l.subscribe_keeps_min': '{{limit}} {{unit}}以上を残すか、全額を取り消してください。入力値：{{value}}',
  'l.mining_not_ended': 'この注文はまだ収益が発生しています。サイクル終了後に償還できます。',
  'l.fund_closed': 'このファンドは新規購入を受け付けていません。',
  'l.fund_leverage': 'このファンドのレバレッジは{{limit}}です。選択値：{{value}}',
  'l.fund_not_covered':
    'このファンドが現在受け入れられる想定元本は{{limit}} {{unit}}までです。ご注文は{{value}} {{unit}}です。証拠金またはレバレッジを下げてください。',
  'l.fund_step': '数量は{{limit}}単位で入力してください。入力値：{{value}}',
  'l.fund_free': '売却できるのは{{limit}}口までです。入力値：{{value}}',
  'l.fund_not_holding': 'このポジションはすでに終了しています。',
  'l.fund_liquidating': 'このポジションは清算中です。基準価額{{value}}が{{limit}}を下回っています。',
  'l.fund_no_value': '現在、信頼できる基準価額がありません。しばらくしてからもう一度お試しください。',
  'l.fund_no_borrowing': 'レバレッジ1は借入がなく清算もされないため、証拠金の追加は不要です。',
  'l.fund_sells_max': '1ポジションの未約定の売却注文は{{limit}}件までです。先に1件取り消してください。',
  'l.fund_basket_fixed': 'ファンドの構成と通貨は変更できません。別のファンドを登録してください。',
  'l.finance_sold_below': 'すでに{{limit}} {{unit}}が販売されています。入力値：{{value}}',
  'l.body_multipart': 'ファイルはmultipart/form-dataで送信してください。',
  'l.file_required': '画像を選択してください。',
  'l.file_single': 'ファイルは1つだけ送信してください。',
  'l.file_too_large': '画像が{{limit}} {{unit}}を超えています。',
  'l.file_type': '画像はJPEG、PNG、WebPのみ使えます。',
  'l.file_animated': 'アニメーション画像は使えません。静止画を選択してください。',
  'l.file_damaged': '画像が破損していて開けません。撮り直すか、別の画像を選択してください。',
  'l.file_failed':
    'この画像を処理できませんでした。何も保存されていません。もう一度お試しいただくか、別の画像を選択してください。',
  'l.file_small':
    '画像が小さすぎて読み取れません。短辺は{{limit}}ピクセル以上必要ですが、{{value}}ピクセルです。',
  'l.file_pixels': '画像が{{limit}}メガピクセルを超えています。',
  'l.file_interlaced':
    'インターレースPNGは{{limit}}メガピクセルまでです。インターレースなしで保存し直すか、画像を小さくしてください。',
  'l.file_foreign': 'ファイルに画像以外のデータが含まれています。撮り直すか、画像を保存し直してください。',
  'l.file_day': '本日のアップロード上限（{{limit}}枚）に達しました。{{time}}以降にもう一度お試しください。',
  'l.file_unknown': 'この画像はもうありません。もう一度アップロードしてください。',
  'l.kyc_name_required': '書類に記載された氏名を入力してください。',
  'l.kyc_name_format':
    '氏名は書類の記載どおりに入力してください。使えるのは文字、スペース、点、ハイフンのみです。',
  'l.kyc_country_required': '書類の発行国を選択してください。',
  'l.kyc_number_required': '書類番号を入力してください。',
  'l.kyc_number_format': '書類番号の形式が正しくありません。英数字とハイフン、5～24文字で入力してください。',
  'l.kyc_number_cn_length': '中国の身分証番号は{{limit}}文字（数字17桁と数字またはX）です。入力値：{{value}}',
  'l.kyc_number_cn_date': '身分証番号の7～14桁目は生年月日ですが、正しい日付ではありません。',
  'l.kyc_number_cn_check': '最後の文字が他の数字と整合しません。入力に誤りがないかご確認ください。',
  'l.kyc_front_required': '書類の表面をアップロードしてください。',
  'l.kyc_back_required': '書類の裏面をアップロードしてください。',
  'l.kyc_verified': '本人確認が完了しているため、変更できません。',
  'l.kyc_reviewing': '書類を審査しています。結果は後ほどお知らせします。',
  'l.kyc_wait': '{{minutes}}分後に再提出できます。',
  'l.kyc_day':
    '24時間以内の提出回数の上限（{{limit}}回）に達しました。しばらくしてからもう一度お試しください。',
  'l.kyc_decided': 'この提出はすでに審査が完了しています。',
  'l.kyc_document_taken': 'この書類は別のアカウントの本人確認に使われています。',
  'l.kyc_link_used': 'このリンクは使用済みか期限切れです。提出内容をもう一度開いてください。',
  'l.seconds_closed': '秒コントラクトは現在停止中です。保有中のポジションは通常どおり決済されます。',
  'l.seconds_region': 'お住まいの地域では秒コントラクトをご利用いただけません。',
  'l.seconds_duration': '{{value}}秒は選択できる判定時間ではありません。一覧から選択してください。',
  'l.seconds_index':
    '現在、信頼できるインデックス価格がないため、ポジションを建てられません。資金は差し引かれていません。',
  'l.seconds_risk': '先に最新のリスク説明（バージョン{{limit|plain}}）に同意してください。',
  'l.seconds_open_max':
    '保有できるポジションは{{limit}}件までです。現在{{value}}件あります。決済されるまでお待ちください。',
  'l.seconds_gap': '建てられるポジションは1秒に1件までです。少し待ってからもう一度お試しください。',
  'l.seconds_stake_own': 'ご自身で設定した1ポジションの上限は{{limit}} {{unit}}です。入力値：{{value}}',
  'l.seconds_day_loss':
    'このポジションで外れると、本日の損失が{{value}} {{unit}}となり、上限の{{limit}} {{unit}}を超えます。金額を減らしてください。',
  'l.seconds_cool': '秒コントラクトは{{until}} UTCまで一時停止中です。',
  'l.seconds_session': '利用時間の上限{{limit}}分に達しました。{{value}}分以上休憩してください。',
  'l.seconds_reserve':
    '現在の支払準備金では、このポジションを受け付けられません。受け付け可能な利益は{{limit}} {{unit}}までですが、このポジションの利益は最大{{value}} {{unit}}です。金額を減らしてお試しください。',
  'l.network_closed': '当取引所は{{limit}}に接続していないため、入出金できません。',
  'l.deposits_paused': '{{limit}}の入金を停止しています。停止中に届いたコインは再開後に反映されます。',
  'l.deposits_paused_until':
    '{{limit}}の入金を停止しています（再開予定：{{until}}）。停止中に届いたコインは再開後に反映されます。',
  'l.withdrawals_paused': '{{limit}}の出金を停止しています。',
  'l.withdrawals_paused_until': '{{limit}}の出金を停止しています（再開予定：{{until}}）。',
  'l.address_invalid':
    '正しい{{limit}}アドレスではありません。文字をすべて確認するか、QRコードを読み取り直してください。',
  'l.address_other_network':
    'これは{{unit}}のアドレスですが、選択中のネットワークは{{limit}}です。受取先のネットワークを選択するか、{{limit}}のアドレスを入力してください。',
  'l.address_burns':
    'この{{limit}}アドレスはバーンアドレスです。送金したコインは取り戻せません。ご自身のウォレットのアドレスを入力してください。',
  'l.address_contract':
    'これはトークンのコントラクトアドレスです。送金したコインは取り戻せません。ご自身のウォレットのアドレスを入力してください。',
  'l.recipient_required':
    '法令により、この金額の出金には受取人の情報が必要です。受取人の氏名を入力するか、ご本人が受け取ることを選択してください。',
  'l.recipient_name_format': '受取人の氏名を文字で入力してください。',
  'l.address_house': 'これは当取引所のアドレスです。ご自身のウォレットのアドレスを入力してください。',
  'l.address_own': 'これは当取引所でのご自身の入金アドレスです。別のウォレットのアドレスを入力してください。',
  'l.recipient_unfunded':
    'このアカウントはXRP Ledgerでまだ有効化されていません。最初の送金では{{limit}} {{unit}}以上の着金が必要です。',
  'l.recipient_tag':
    'このアカウントへの送金には宛先タグが必須です。受取先から指定されたタグを入力してください。',
  'l.recipient_closed':
    'このアカウントは承認済みの送金元からのみ受け取ります。別のアドレスを入力してください。',
  'l.memo_required':
    '受取先から指定された{{limit}}のメモまたはタグを入力してください。ご自身のウォレットでメモがない場合は、不要であることを確認してください。',
  'l.memo_invalid': '「{{value|plain}}」は{{limit}}のメモまたはタグとして正しくありません。',
  'l.memo_unexpected': '{{limit}}ではメモを使いません。空欄にしてください。',
  'l.address_remark':
    '備考には{{value}}とありますが、選択中のネットワークは{{limit}}です。一致するネットワークを選択してください。',
  'l.address_duplicate': 'このアドレスはすでにアドレス帳にあります。',
  'l.addresses_max': '登録できるアドレスは{{limit}}件までです。追加するには、先に1件削除してください。',
  'l.address_waits': '追加から24時間が経過していないアドレスです。{{hours}}時間後に出金できます。',
  'l.address_unlisted':
    '出金ホワイトリストがオンのため、登録済みアドレスにのみ出金できます。先にこのアドレスをアドレス帳に追加してください。',
  'l.address_required': '出金先アドレスを選択または入力してください。',
  'l.withdraw_fee_changed':
    'ネットワーク手数料が{{value}} {{unit}}から{{limit}} {{unit}}に変わったため、出金は申請されていません。新しい金額を確認のうえ、もう一度お手続きください。',
  'l.withdraw_hold': 'このアカウントの出金は{{until}} UTCまで停止されています。',
  'l.withdraw_requests':
    '出金を申請できるのは24時間に{{limit}}件までです。すでに{{value}}件申請しています。次の申請は{{until}} UTC以降に行えます。',
  'l.withdraw_often': '出金の申請は{{limit}}秒に1件までです。{{seconds}}秒後にもう一度お試しください。',
  'l.withdraw_day': '24時間の限度額の残りは{{limit}} {{unit}}です。この出金は{{value}} {{unit}}相当です。',
  'l.withdraw_month': '30日間の限度額の残りは{{limit}} {{unit}}です。この出金は{{value}} {{unit}}相当です。',
  'l.withdraw_not_pending': 'この出金はもう変更できません。',
  'l.fee_not_raised':
    'このネットワークでは送金後に手数料を引き上げられません。期限までにブロックに取り込まれない送金は、自動で再署名されます。',
  'l.child_change':
    '子トランザクションを作成できません。未使用のお釣りがないか、この手数料を支払うには不足しています。',
  'l.child_not_held':
    '子トランザクションを作成できません。ノードがこのバッチのトランザクションを保持していないか、返金予定の支払いが含まれています。',
  'l.child_number': 'このバッチの子トランザクションは、上限の{{limit}}件まで署名済みです。',
  'l.child_network': '{{limit}}では子トランザクションを利用できません。',
  'l.withdraw_second_person':
    '1人の担当者が1つのアカウントについて承認できる出金は、24時間で{{limit}} {{unit}}までです。すでに{{before}} {{unit}}が承認されており、この出金は{{value}} {{unit}}相当のため、2人目の承認が必要です。',
  'l.withdraw_changed':
    'この出金の内容は、ご本人が確認したものと一致しません。支払わずに不承認または返金とし、変更の経緯を調べてください。',
  'l.withdraw_not_paid':
    '{{limit}}の承認済みブロックに、この出金と通貨・受取額・アドレスがすべて一致する支払いを含む取引が見つかりません。',
  'l.withdraw_paid_unconfirmed':
    'この取引は出金と一致していますが、{{limit}}での承認回数がまだ足りません。数分後にもう一度お試しください。',
  'l.withdraw_txid_used': 'この取引は別の出金に割り当てられています。',
  'l.withdraw_restoring':
    '障害の前にどの出金が送信済みかを確認しています。完了するまで、出金のキャンセルや却下はできません。',
  'l.proof_required': '送金の証明をアップロードしてください。',
  'l.source_required': '送金元を入力してください（例：取引所名）。',
  'l.proofs_max': 'すでに{{limit}}件の入金報告を確認中です。完了してから報告してください。',
  'l.proof_decided': 'この入金報告は対応済みです。',
  'l.deposit_known': 'このTxIDの入金はすでに反映されています。',
  'l.arrival_known': 'この取引はすでに登録されています。',
  'l.screening_open':
    'このアカウントには未処理または確定済みの制裁リスト該当があるか、制裁リストがまだ取り込まれていません。',
  'l.screening_decided': 'この該当はすでに判断済みです。',
  'l.transfer_decided': 'この移動はすでに対応済みです。',
  'l.transfer_short':
    'ホットウォレットの残高は {{limit}} {{unit}} です。{{value}} {{unit}} を移すと、承認済みの出金と最低残高をまかなえません。',
  'l.sweeps_paused': 'このネットワークの集約はすでに停止中です。',
  'l.arrival_decided': 'この送金はすでに対応済みです。',
  'l.arrival_unconfirmed': 'この送金はネットワークでまだ承認されていないか、取り消されています。',
  'l.arrival_unlisted': '{{unit}}はこのネットワークに上場していないため、返送またはクローズのみ可能です。',
  'l.return_not_sent':
    '{{limit}}で{{unit}}を送金できる署名機がありません。手動で返送し、返送の取引を記録してください。',
  'l.return_registered':
    'この送金は手動で登録されたものです。署名機が返送するのは、取引所がネットワーク上で検知した送金のみです。手動で返送し、その取引を記録してください。',
  'l.return_no_sender':
    '{{limit}}ではこの送金の送信元を一つに特定できません。返送先のアドレスを入力してください。',
  'l.return_own_address': '{{value}}は取引所自身のアドレスのため、送信者には返送されません。',
  'l.return_too_small':
    '{{value}} {{unit}}から手数料{{fee}} {{unit}}を差し引くと残りが少なすぎます。返送できるのは{{limit}} {{unit}}以上です。',
  'l.screening_address': '{{value}}は制裁リスト{{limit}}に掲載されているため、支払えません。',
  'l.screening_no_list': '制裁リストがまだ取り込まれていないため、照合も支払いもできません。',
  'l.user_unknown': 'このUID、メールアドレス、または内部番号のユーザーは見つかりません。',
  'l.token_invalid': 'このアドレスに小数点以下18桁以内のトークンがないか、ノードが読み取れません。',
  'l.token_listed': '上場済みの{{unit}}のコントラクトのため、送金はすでに検知されています。',
  'l.token_watched': 'このトークンはすでに監視中です。',
  'l.tokens_max': '監視できるトークンは最大{{limit}}件です。先にほかのトークンの監視を終了してください。',
  'l.correction_known': 'ケース{{value}}には同じ調整がすでに含まれています。',
  'l.debt_closed': 'この未払い金はすでに終了しています。',
  'l.period_not_closable':
    '{{value|plain}} は締められません。月は終了後に順番に締めます。次は {{limit|plain}} です。',
  'l.deposit_not_gone': '反映後にネットワークで取り消された入金のみ、1回に限り回収できます。',
  'l.txid_format': '{{limit}}に表示されるTxIDを入力してください。数字とa～fの英字64文字です。',
  'l.entries_max': '登録できる項目は{{limit}}件までです。既存の項目のコードを再利用してください。',
  'l.support_wait': 'お問い合わせは1時間に{{limit}}件までです。しばらくしてからお試しください。',
  'l.support_pending':
    'この入出金についてはお問い合わせ済みです。受付番号#{{number}}への回答をお待ちください。',
  'l.support_closed': 'このお問い合わせは終了しました。新しくお問い合わせください。',
  'l.support_decided': 'このお問い合わせは対応済みです。',
  'l.c_enteropenamt': '取引金額を入力してください。',
  'l.c_a_transferTip': '振替金額を入力してください。',
  'l.u_limit_min_low': '最小額{{limit}} {{unit}}を下回っています。入力値：{{value}}',
};
