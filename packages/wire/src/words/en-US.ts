import type { RefusalKey } from '@exchange/core/refusal.ts';

export const enUS: Readonly<Record<RefusalKey, string>> = {
  'l.error': 'Something went wrong. Please try again.',
  'l.not_found': 'Not found.',
  'l.restore_not_compared':
    'Compare the restored database with the signer and the chain first; the runbook says how.',
  'l.restore_not_settled': 'Settle every payment under Restored payments first.',
  'l.operator_sign_in': 'Incorrect name, password, or code.',
  'l.operator_wait': '{{limit}} failed attempts. Try again in up to {{minutes}} minutes.',
  'l.operator_code_missing':
    'Enter the six digits that your authenticator shows. Recovery codes do not confirm decisions.',
  'l.operator_code_wrong':
    'Incorrect authenticator code. {{left}} {{left|one:attempt|other:attempts}} left before you are signed out everywhere.',
  'l.operator_code_used':
    'This code has already been used. Your authenticator shows the next one in {{seconds}} s.',
  'l.several_alone': 'This one has to be decided on its own.',
  'l.several_max': 'At most {{limit}} rows can be decided at once.',
  'l.several_value':
    'Decisions made at once may let go at most {{limit}} USDT in total. These let go {{value}} USDT.',
  'l.operator_codes_ended': '{{limit}} incorrect authenticator codes: you have been signed out everywhere.',
  'l.second_person': 'A different operator must do this.',
  'l.above_ceiling':
    'This is worth {{value}} USDT now. The roles of {{operator}} decide about at most {{limit}} USDT in one operation.',
  'l.ceiling_unpriced':
    '{{unit}} has no price now. The roles of {{operator}} decide about at most {{limit}} USDT in one operation, so a role without a ceiling has to decide.',
  'l.claimed': '{{operator}} has taken this row until {{time}} UTC.',
  'l.call_interrupted':
    'The server stopped while it executed this call, so it may have taken effect. Look at the result before you do it again.',
  'l.answer_not_stored': 'This was done, and its answer contained secrets that are shown only once.',
  'l.evidence_changed':
    'What this is about has changed since it was proposed. Look at it again, then reject it and propose it again.',
  'l.retype_amount': 'Type the amount in {{unit}} again, exactly as it is shown.',
  'l.retype_destination':
    'Type the amount in {{unit}} again, or the last four characters of the destination, exactly as they are shown.',
  'l.kyc_not_opened':
    'Before deciding, each person must open the data, the front, and the back of this submission. Not opened: {{missing}}.',
  'l.kyc_note_internal':
    'A decision about a sanctions match or a risk goes out without a note: the user only learns that the submission was reviewed. Write it in the reason instead, which users never see.',
  'l.proposal_over': 'This request is no longer waiting for a decision.',
  'l.version_changed':
    'Version {{limit|plain}} has been published since; your change is based on version {{value|plain}}. Review it again.',
  'l.session_ended': 'Your session has ended. Please log in again.',
  'l.rate_limited': 'Too many requests. Try again in {{seconds}} s.',
  'l.maintenance': 'The exchange is restarting. Nothing was changed; please try again in a moment.',
  'l.busy': 'The server is busy. Nothing was changed; please try again.',
  'l.outcome_to_check':
    'No confirmation arrived, so your request may or may not have been executed. Check the result before you try again.',
  'l.outcome_unknown':
    'No confirmation arrived, so your request may or may not have been executed. Send it again unchanged: it is executed only once.',
  'l.duplicate_key': 'This request ID was already used for a different request.',
  'l.field_required': '{{field}} is required.',
  'l.field_invalid': '{{field}} is not valid.',
  'l.field_repeated': '{{field}} was sent more than once.',
  'l.field_too_long': '{{field}} is too long.',
  'l.field_number': '{{field}} must be a plain number.',
  'l.field_min': '{{field}} must be at least {{limit}}. You entered {{value}}.',
  'l.field_max': '{{field}} must be at most {{limit}}. You entered {{value}}.',
  'l.field_decimals':
    '{{field}} can have at most {{limit}} {{limit|one:decimal|other:decimals}}. You entered {{value}}.',
  'l.field_positive': '{{field}} must be greater than zero.',
  'l.field_choice': '{{field}} is not one of the allowed values.',
  'l.period_backwards': 'The end date is before the start date.',
  'l.body_form': 'The request must be form-encoded.',
  'l.body_too_large': 'The request is too large.',
  'l.body_encoding': 'The request is not valid UTF-8 form data.',
  'l.cross_site': 'Requests from other sites are not accepted.',
  'l.topic_unknown': 'There is no topic {{value|plain}}.',
  'l.topics_max': 'A connection can follow at most {{limit}} topics. This would make {{value}}.',
  'l.connections_max':
    'An account can have at most {{limit}} live connections. Close another page or program that is logged in.',
  'l.enter_email': 'Enter your email.',
  'l.email_invalid': 'This is not a valid email address.',
  'l.email_taken': 'This email cannot be used for a new account.',
  'l.enter_code': 'Enter the code from the email.',
  'l.code_invalid': 'The code is incorrect or has expired.',
  'l.code_wait': 'The code we just emailed is still valid. You can request another in {{seconds}} s.',
  'l.code_budget': 'Too many codes have been requested. Please try again later.',
  'l.code_challenge':
    'Many codes are being requested right now. Your device has to solve a small task first.',
  'l.challenge_invalid': 'The task was not solved, or it has expired. Please request the code again.',
  'l.code_act':
    'Request the code on the page of the change that it confirms, and reload the page if it is old.',
  'l.ticket_invalid': 'The verification has expired. Please start over.',
  'l.password_length': 'The password must be {{min}} to {{max}} characters long.',
  'l.password_letter': 'The password must start with a letter.',
  'l.password_digit': 'The password must contain a digit.',
  'l.password_common': 'This password has appeared in data leaks. Please choose another.',
  'l.password_contains_email': 'The password cannot contain the name in your email address.',
  'l.password_same': 'The new password must be different from the old one.',
  'l.password_mismatch': 'The passwords do not match.',
  'l.password_wrong': 'The password is incorrect.',
  'l.login_failed': 'Incorrect email, code, or password.',
  'l.login_delayed': 'Too many failed attempts. Try again in {{seconds}} s.',
  'l.agree_required': 'Please accept the user agreement.',
  'l.user_agreement':
    'Please read and accept the current version of the user agreement: version {{limit|plain}}.',
  'l.privacy_policy':
    'Please read and accept the current version of the privacy policy: version {{limit|plain}}.',
  'l.invite_unknown': 'This invitation code does not exist.',
  'l.trade_password_format': 'The trade password must be six digits.',
  'l.trade_password_obvious': 'This trade password is too easy to guess.',
  'l.trade_password_missing': 'Please set a trade password first.',
  'l.trade_password_required': 'Enter your trade password.',
  'l.trade_password_wrong': 'Incorrect trade password. {{left}} {{left|one:attempt|other:attempts}} left.',
  'l.trade_password_locked':
    'The trade password is locked after too many attempts. Reset it with your login password and an email code.',
  'l.verification_required': 'Verify your identity first.',
  'l.account_shared':
    'Everyone who tries this demo shares this account, so this cannot be changed here. Sign up to get an account of your own.',
  'l.account_frozen':
    'This account is frozen. Write to us under Help & contact to have it unfrozen; you do not need to log in.',
  'l.notice_fixed': 'These messages protect your account and cannot be turned off.',
  'l.nickname_format': 'A nickname must start with a letter, followed by 7 to 24 letters or digits.',
  'l.authenticator_required': 'Enter the code from your authenticator app.',
  'l.authenticator_wrong': 'The authenticator code is incorrect or was already used. Wait for the next one.',
  'l.authenticator_bound': 'An authenticator is already set up for this account.',
  'l.authenticator_none': 'No authenticator is set up for this account.',
  'l.authenticator_key': 'Request a new authenticator key first.',
  'l.passkey_failed': 'This passkey was not accepted. Try again, or continue without it.',
  'l.passkey_cancelled': 'The passkey was not used. Try again, or continue without it.',
  'l.passkey_expired': 'This took too long. Start again with your passkey.',
  'l.passkey_counter':
    'This passkey may have been copied, so it was not accepted. Continue without it, and remove it under Security.',
  'l.passkey_known': 'This passkey has already been added.',
  'l.passkeys_max': 'You can have up to {{limit}} passkeys. Remove one first.',
  'l.passkey_last':
    'This is your last passkey, and you have no authenticator app. Confirm that only your password and email codes will protect your account.',
  'l.email_same': 'This is already your email address.',
  'l.phrase_length': 'Enter 4 to 20 characters.',
  'l.freeze_link':
    'This link is incomplete or more than 7 days old. Log in to freeze your account, or contact support.',
  'l.code_other_deed': 'The code is incorrect, has expired, or was emailed for a different request.',
  'l.unknown_pair': 'This pair is not listed here.',
  'l.pair_closed': 'This market is closed.',
  'l.pair_cancel_only': 'This market only accepts cancellations right now.',
  'l.asset_halted':
    'Trading and transfers of {{unit}} are paused while we run a check. Your funds stay where they are.',
  'l.price_required': 'Enter a price.',
  'l.price_decimals':
    'The price can have at most {{limit}} {{limit|one:decimal|other:decimals}}. You entered {{value}}.',
  'l.price_band_low': 'The lowest price allowed right now is {{limit}} {{unit}}. You entered {{value}}.',
  'l.price_band_high': 'The highest price allowed right now is {{limit}} {{unit}}. You entered {{value}}.',
  'l.amount_required': 'Enter an amount.',
  'l.amount_or_total': 'Enter either an amount or a total.',
  'l.amount_decimals':
    'The amount can have at most {{limit}} {{limit|one:decimal|other:decimals}}. You entered {{value}}.',
  'l.amount_min': 'The minimum amount is {{limit}} {{unit}}. You entered {{value}}.',
  'l.amount_max': 'The maximum amount is {{limit}} {{unit}}. You entered {{value}}.',
  'l.total_min': 'The minimum total is {{limit}} {{unit}}. You entered {{value}}.',
  'l.insufficient_balance': 'Insufficient balance: {{limit}} {{unit}} available, {{value}} needed.',
  'l.open_orders_max':
    'You can have at most {{limit}} open orders on this pair. Cancel one to place another.',
  'l.post_only_crosses':
    'This post-only order would have filled right away, so it was not placed. Change the price, or turn off post-only.',
  'l.fok_unfilled': 'The full amount cannot be filled at this price, so nothing was filled.',
  'l.no_liquidity': 'There are no orders on the other side of the book right now. Please try again later.',
  'l.no_index': 'There is no reliable index price right now. Please try again in a moment.',
  'l.self_trade': 'This order would have traded with your own order.',
  'l.order_not_open': 'This order is no longer open.',
  'l.cancel_restricted': 'The order was not canceled: its filled amount is not what the request requires.',
  'l.time_in_force': 'This time in force is not available for this order type.',
  'l.purchase_not_permitted': 'Buying is not available for your account. Please contact support.',
  'l.stop_price_required': 'Enter a trigger price.',
  'l.stop_price_side':
    'The last price, {{last}} {{unit}}, has already passed your trigger price of {{value}}, so the order would trigger right away.',
  'l.stop_unexpected': '{{field}} does not apply to this order type.',
  'l.stop_orders_max':
    'You can have at most {{limit}} conditional orders per pair, and you have {{value}}. Cancel one to place another.',
  'l.no_last_price': 'This pair has not traded yet, so there is no last price for a stop to follow.',
  'l.activation_side':
    'The activation price must be above the last price to sell, and below it to buy. The last price is {{last}} {{unit}}.',
  'l.exits_order': 'Take profit and stop loss can be added to limit and market orders only.',
  'l.exits_required': 'Enter a take-profit or a stop-loss price.',
  'l.take_profit_side':
    'Take profit must be above the entry price, {{limit}} {{unit}}. You entered {{value}}.',
  'l.take_profit_side_sell':
    'Take profit must be below the sell price of {{limit}} {{unit}}. You entered {{value}}.',
  'l.stop_loss_side': 'Stop loss must be below {{limit}} {{unit}}. You entered {{value}}.',
  'l.stop_loss_side_sell': 'Stop loss must be above {{limit}} {{unit}}. You entered {{value}}.',
  'l.trail_required': 'Enter the trailing delta.',
  'l.trail_min': 'The smallest trailing delta is {{limit}}%. You entered {{value}}%.',
  'l.trail_max': 'The largest trailing delta is {{limit}}%. You entered {{value}}%.',
  'l.expire_required': 'Choose when the order expires.',
  'l.expire_past': 'The expiry must be in the future.',
  'l.expire_far':
    'An order can expire at most {{limit}} {{limit|one:day|other:days}} from now. You chose {{value}}.',
  'l.ladder_count': 'A ladder has {{min}} to {{limit}} orders. You entered {{value}}.',
  'l.ladder_range':
    'There is room for only {{limit}} different prices in this range, but you chose {{value}} orders. Widen the range or choose fewer orders.',
  'l.ladder_small':
    'One of the orders would be {{value}} {{unit}}, below the minimum of {{limit}} {{unit}} per order. Increase the amount or choose fewer orders.',
  'l.ladder_crosses_buy':
    'All orders of a ladder must rest on the book. The buy price {{value}} must be below the best ask of {{limit}} {{unit}}.',
  'l.ladder_crosses_sell':
    'All orders of a ladder must rest on the book. The sell price {{value}} must be above the best bid of {{limit}} {{unit}}.',
  'l.twap_spacing':
    'Children must be at least {{seconds}} seconds apart: at most {{limit}} in this time, not {{value}}.',
  'l.twap_max': 'You can run at most {{limit}} TWAP orders at once. End one to start another.',
  'l.iceberg_slices': 'An iceberg has {{min}} to {{limit}} slices. This visible amount makes {{value}}.',
  'l.iceberg_max': 'You can run at most {{limit}} icebergs at once. Cancel one to place another.',
  'l.chase_no_price': 'A chase order follows the best price of its side, which has no orders at present.',
  'l.chase_max': 'You can run at most {{limit}} chase orders at once. Cancel one to place another.',
  'l.grid_no_price': 'A grid needs orders on both sides of the book. At present, a side is empty.',
  'l.grid_range': 'The upper price must be above the lower one, with room for {{value}} different prices.',
  'l.grid_stop_loss': 'The stop-loss price must be below {{limit}} {{unit}}.',
  'l.grid_take_profit': 'The take-profit price must be above {{limit}} {{unit}}.',
  'l.grid_outside': 'The present price of {{limit}} {{unit}} must be between the lower and the upper price.',
  'l.grid_fees':
    'A step from one level to the next would earn {{value}} % after fees. Choose fewer levels or a wider price range.',
  'l.grid_small':
    'With these levels, an investment of at least {{limit}} {{unit}} is needed for orders of the minimum size. You entered {{value}} {{unit}}.',
  'l.grid_liquidity':
    'The book cannot fill the purchase at the start within the slippage and below the first sale. Choose a larger slippage, fewer levels or a smaller investment.',
  'l.grid_max': 'You can run at most {{limit}} grids at once. Cancel one to start another.',
  'l.oco_prices':
    'One leg must be above the last price of {{last}} {{unit}} and the other below it. You entered a limit price of {{limit}} and a trigger price of {{value}}.',
  'l.amend_nothing': 'Nothing has changed. Enter a new value.',
  'l.amend_type': 'This part of the order can’t be edited.',
  'l.amend_filled':
    '{{limit}} {{unit}} of this order has already been filled. The new amount must be greater. You entered {{value}}.',
  'l.amend_not_less':
    'The new amount must be less than {{limit}} {{unit}}, the amount of this order. You entered {{value}}.',
  'l.export_range': 'An export covers at most {{limit}} {{limit|one:day|other:days}}. You chose {{value}}.',
  'l.export_running': 'You already have an export running. Wait for it to finish, or cancel it.',
  'l.tax_computing': 'Your books are still being counted. Please try again in a moment.',
  'l.tax_costs_max': 'You have entered costs for {{limit}} transfers, the most possible. Remove one first.',
  'l.tax_acquired_late': 'The coins cannot have been acquired after they arrived.',
  'l.page_depth':
    'Only the first {{limit}} records can be browsed, and this page ends at record {{value}}. Choose a shorter period, or export the records.',
  'l.favorites_max': 'You can have at most {{limit}} favorites. Remove one to add another.',
  'l.push_endpoint': 'This browser’s push service cannot be used.',
  'l.push_devices_max':
    'At most {{limit}} devices can receive push notifications. Remove one to add this one.',
  'l.alerts_max': 'You can have at most {{limit}} price alerts. Remove one to add another.',
  'l.alert_reached_index':
    'The index is already {{limit}} {{unit}}. You entered {{value}}. Choose a price that it has not reached.',
  'l.alert_moved': 'The price has already moved {{limit}}% within {{window}}. You entered {{value}}%.',
  'l.alert_cross_source': 'A moving average follows the last price. Choose the last price.',
  'l.alert_history': '{{name}} needs {{limit}} closed candles. There are {{value}}.',
  'l.alert_order_once':
    'An alert that places an order triggers once. Switch off repeating, or remove the order.',
  'l.alert_order_late': 'The alert triggered more than {{limit}} minutes before the order could be placed.',
  'l.alert_reached':
    'The last price is already {{limit}} {{unit}}. You entered {{value}}. Choose a price that it has not reached.',
  'l.small_too_large':
    'Small balances are worth at most {{limit}} USDT. Your {{unit}} balance is worth {{value}} USDT; convert it on its own.',
  'l.small_nothing': 'Your {{value}} balance is too small to be converted.',
  'l.small_day': 'Small balances can be converted at most {{limit}} times a day (UTC). Try again tomorrow.',
  'l.recurring_max': 'You can have at most {{limit}} recurring buys. End one to create another.',
  'l.recurring_shares': 'The shares must add up to {{limit}}%. Yours add up to {{value}}%.',
  'l.recurring_coins': 'Choose each coin once, and not the coin that you pay with: {{value}}.',
  'l.recurring_ended': 'This recurring buy has ended. Create a new one.',
  'l.api_keys_max': 'You can have at most {{limit}} API keys. Revoke one to create another.',
  'l.api_key_public': 'Paste the public half of an Ed25519 key pair as PEM text (BEGIN PUBLIC KEY).',
  'l.api_key_address': '{{value}} is not an IP address.',
  'l.api_key_addresses_max': 'A key can be limited to at most {{limit}} IP addresses.',
  'l.api_key_withdraw_addresses': 'A key that may withdraw needs the IP addresses of your program.',
  'l.withdraw_key_address':
    'A key withdraws only to addresses of your address book. Save the address there for this coin and network, and wait 24 hours.',
  'l.withdraw_key_limit':
    'This key may withdraw {{limit}} USDT within 24 hours; with this withdrawal it would be {{value}}.',
  'l.withdraw_name_used': 'Another withdrawal has this name.',
  'l.sub_accounts_max': 'You can have at most {{limit}} sub-accounts. Archive one to create another.',
  'l.sub_accounts_ever_max':
    'You have created {{limit}} sub-accounts, archived ones included. No more can be created.',
  'l.sub_account_name_used': 'You already have a sub-account named {{value}}. Choose another name.',
  'l.sub_account_not_empty':
    'This sub-account still holds coins. Cancel its orders and transfer all its coins before you archive it.',
  'l.sub_account_archived': 'This sub-account is archived and cannot be used any more.',
  'l.sub_account_same': 'Choose two different accounts to transfer between.',
  'l.sub_account_key':
    'A key of a sub-account cannot transfer between accounts. Create that key for your main account.',
  'l.faucet_wait': 'You can get demo funds again in {{hours}} h.',
  'l.terms_changed':
    'The terms have changed, so your order was not placed. Check the new terms and try again.',
  'l.finance_soon': 'This product is not on sale yet.',
  'l.finance_sold_out': 'Sold out: {{value}} {{unit}} is left, less than the minimum of {{limit}} {{unit}}.',
  'l.finance_ended': 'The sale of this product has ended.',
  'l.finance_not_selling':
    'Sales of this product are paused while its interest account is being funded. Your existing orders are not affected.',
  'l.finance_agreement': 'Please accept the current version of the agreement first: version {{limit|plain}}.',
  'l.finance_user_max': 'You can buy up to {{limit}} {{unit}} more of this product. You entered {{value}}.',
  'l.finance_product_max': 'Only {{limit}} {{unit}} of this product is left. You entered {{value}}.',
  'l.finance_not_matured': 'This order is locked until it matures. Early withdrawal is not supported.',
  'l.convert_same': 'Choose two different coins.',
  'l.convert_one_amount': 'Enter either the amount you pay or the amount you receive.',
  'l.convert_inventory':
    'No quote for this amount right now. At most {{limit}} {{unit}} can be converted at once.',
  'l.quote_expired': 'This quote has expired. Get a new one.',
  'l.subscribe_foreign': '{{unit}} tokens of this sale cannot be claimed right now. Please contact support.',
  'l.asset_exists': '{{value}} already exists on this exchange. Enter a different symbol.',
  'l.subscribe_soon': 'This sale has not started yet.',
  'l.subscribe_ended': 'This sale has ended.',
  'l.subscribe_begun': 'This sale has started, so its terms can no longer be changed.',
  'l.subscribe_user_max': 'You can commit up to {{limit}} {{unit}} more. You entered {{value}}.',
  'l.subscribe_keeps_min':
    'At least {{limit}} {{unit}} must stay committed, unless you take everything back. You entered {{value}}.',
  'l.mining_not_ended': 'This order is still earning. You can redeem it once its cycle has ended.',
  'l.fund_closed': 'This fund takes no new purchases.',
  'l.fund_leverage': 'This fund offers leverage of {{limit}}. You chose {{value}}.',
  'l.fund_not_covered':
    'This fund can take on another {{limit}} {{unit}} in position value right now. Yours is {{value}} {{unit}}. Lower the margin or the leverage.',
  'l.fund_step': 'The quantity must be a multiple of {{limit}}. You entered {{value}}.',
  'l.fund_free': 'You can sell up to {{limit}} units. You entered {{value}}.',
  'l.fund_not_holding': 'This position is no longer open.',
  'l.fund_liquidating': 'This position is being liquidated: the unit value is {{value}}, below {{limit}}.',
  'l.fund_no_value': 'There is no reliable unit value right now. Please try again in a moment.',
  'l.fund_no_borrowing':
    'With leverage 1, nothing is borrowed and the position is never liquidated, so it needs no more margin.',
  'l.fund_sells_max': 'A position can have at most {{limit}} open sell orders. Cancel one first.',
  'l.fund_basket_fixed':
    'The basket and the currency of a fund cannot be changed. Publish another fund instead.',
  'l.finance_sold_below': '{{limit}} {{unit}} has already been sold. You entered {{value}}.',
  'l.body_multipart': 'The file must be sent as multipart/form-data.',
  'l.file_required': 'Choose a picture.',
  'l.file_single': 'Send exactly one file.',
  'l.file_too_large': 'The picture is larger than {{limit}} {{unit}}.',
  'l.file_type': 'Only JPEG, PNG, and WebP pictures are accepted.',
  'l.file_animated': 'Animated pictures are not accepted. Choose a still picture.',
  'l.file_damaged': 'The picture is damaged and cannot be opened. Take a new one, or choose another.',
  'l.file_failed':
    'This picture could not be processed, and nothing was saved. Try again, or choose another picture.',
  'l.file_small':
    'The picture is too small to read: its shorter side must be at least {{limit}} pixels, and it is {{value}}.',
  'l.file_pixels': 'The picture has more than {{limit}} megapixels.',
  'l.file_interlaced':
    'An interlaced PNG can have up to {{limit}} megapixels. Save the picture without interlacing, or make it smaller.',
  'l.file_foreign': 'The file contains more than a picture. Take a new photo, or save the picture again.',
  'l.file_day': 'You have uploaded {{limit}} pictures today, the daily maximum. Try again after {{time}}.',
  'l.file_unknown': 'This picture is no longer available. Upload it again.',
  'l.kyc_name_required': 'Enter your full name exactly as it appears on the document.',
  'l.kyc_name_format':
    'Enter the name exactly as it appears on the document: letters, spaces, periods, and hyphens.',
  'l.kyc_country_required': 'Choose the country that issued the document.',
  'l.kyc_number_required': 'Enter the document number.',
  'l.kyc_number_format': 'The document number is not valid. Use 5 to 24 letters, digits, or hyphens.',
  'l.kyc_number_cn_length':
    'A Chinese ID number has {{limit}} characters: 17 digits, then a digit or X. You entered {{value}}.',
  'l.kyc_number_cn_date': 'Digits 7 to 14 of the ID number must be a valid date of birth.',
  'l.kyc_number_cn_check':
    'The last character does not match the other digits. Check the ID number for a typo.',
  'l.kyc_front_required': 'Upload the front of the document.',
  'l.kyc_back_required': 'Upload the back of the document.',
  'l.kyc_verified': 'Your identity is verified and can no longer be changed.',
  'l.kyc_reviewing': 'Your documents are under review. We will notify you of the result.',
  'l.kyc_wait': 'You can submit again in {{minutes}} min.',
  'l.kyc_day':
    'You have submitted {{limit}} times in 24 hours, which is the maximum. Please try again later.',
  'l.kyc_decided': 'This submission has already been decided.',
  'l.kyc_document_taken': 'This document has already been used to verify another account.',
  'l.kyc_link_used': 'This link has been used or has expired. Open the submission again.',
  'l.seconds_closed': 'The seconds contract is closed right now. Open positions settle as usual.',
  'l.seconds_region': 'The seconds contract is not available in your region.',
  'l.seconds_duration': '{{value}} s is not an available duration. Choose one from the list.',
  'l.seconds_index':
    'There is no reliable index price right now, so no position can be opened. You have not been charged.',
  'l.seconds_risk': 'Please accept the current risk disclosure first: version {{limit|plain}}.',
  'l.seconds_open_max':
    'You can have at most {{limit}} open positions, and you have {{value}}. Wait for one to settle.',
  'l.seconds_gap': 'You can open one position per second. Please try again in a moment.',
  'l.seconds_stake_own': 'Your own limit per position is {{limit}} {{unit}}. You entered {{value}}.',
  'l.seconds_day_loss':
    'This position could bring today’s loss to {{value}}, past your limit of {{limit}} {{unit}}. Enter a smaller amount.',
  'l.seconds_cool': 'You have paused the seconds contract until {{until}} UTC.',
  'l.seconds_session':
    'You have reached your session limit of {{limit}} min. Take a break of at least {{value}} min.',
  'l.seconds_reserve':
    'The payout reserve cannot cover this position right now: it could win {{value}} {{unit}}, and at most {{limit}} {{unit}} can be covered. Enter a smaller amount.',
  'l.network_closed': '{{limit}} is not connected on this exchange, so you cannot deposit or withdraw on it.',
  'l.deposits_paused':
    'Deposits on {{limit}} are paused. Coins that arrive meanwhile are credited when the pause ends.',
  'l.deposits_paused_until':
    'Deposits on {{limit}} are paused, probably until {{until}}. Coins that arrive meanwhile are credited when the pause ends.',
  'l.withdrawals_paused': 'Withdrawals on {{limit}} are paused.',
  'l.withdrawals_paused_until': 'Withdrawals on {{limit}} are paused, probably until {{until}}.',
  'l.address_invalid':
    'This is not a valid address on {{limit}}. Check every character, or scan the QR code again.',
  'l.address_other_network':
    'This address belongs to {{unit}}, but the selected network is {{limit}}. Select the network that the recipient uses, or enter an address on {{limit}}.',
  'l.address_burns':
    'No one holds the key to this {{limit}} address, so coins sent to it are lost. Use an address of your own wallet.',
  'l.address_contract':
    'This is a token contract, not a wallet, so coins sent to it are lost. Use an address of your own wallet.',
  'l.recipient_required':
    'The law requires the recipient of a withdrawal of this amount: enter the full name, or state that you receive it yourself.',
  'l.recipient_name_format': 'Enter the recipient’s full name in letters.',
  'l.address_house': 'This address belongs to the exchange itself. Use the address of your own wallet.',
  'l.address_own': 'This is your own deposit address here. Use the address of another wallet.',
  'l.recipient_unfunded':
    'This account does not exist on the XRP Ledger yet. The first payment to it must deliver at least {{limit}} {{unit}}.',
  'l.recipient_tag':
    'This account only takes payments with a destination tag. Enter the tag that the recipient gave you.',
  'l.recipient_closed':
    'This account only takes payments from senders that it has approved. Use another address.',
  'l.memo_required':
    'Enter the memo or tag that the recipient gave you for {{limit}}. If it is your own wallet and has none, confirm that it needs none.',
  'l.memo_invalid': '“{{value|plain}}” is not a valid memo or tag on {{limit}}.',
  'l.memo_unexpected': '{{limit}} does not use a memo. Leave this field empty.',
  'l.address_remark':
    'Your remark says {{value}}, but the network is {{limit}}. Choose the matching network.',
  'l.address_duplicate': 'This address is already in your address book.',
  'l.addresses_max': 'You can save at most {{limit}} addresses. Delete one to add another.',
  'l.address_waits': 'This address was added less than 24 hours ago. You can withdraw to it in {{hours}} h.',
  'l.address_unlisted':
    'Your withdrawal whitelist is on, so you can withdraw only to saved addresses. Add this address to your address book first.',
  'l.address_required': 'Choose or enter a withdrawal address.',
  'l.withdraw_fee_changed':
    'The network fee changed from {{value}} to {{limit}} {{unit}}, so nothing was sent. Check the new figures and confirm again.',
  'l.withdraw_hold': 'Withdrawals from this account are on hold until {{until}} UTC.',
  'l.withdraw_requests':
    'You can request up to {{limit}} withdrawals within 24 hours, and you have requested {{value}}. You can request the next one after {{until}} UTC.',
  'l.withdraw_often': 'You can request one withdrawal every {{limit}} s. Try again in {{seconds}} s.',
  'l.withdraw_day':
    'You have {{limit}} {{unit}} of your 24-hour limit left. This withdrawal is worth {{value}} {{unit}}.',
  'l.withdraw_month':
    'You have {{limit}} {{unit}} of your 30-day limit left. This withdrawal is worth {{value}} {{unit}}.',
  'l.withdraw_not_pending': 'This withdrawal can no longer be changed.',
  'l.fee_not_raised':
    'On this network the fee of a payment cannot be raised. A payment that is in no block by its end is signed again.',
  'l.child_change':
    'No child is possible: the transaction has no unspent change that pays for one at this fee.',
  'l.child_not_held':
    'No child is possible: the node holds no transaction of this batch, or it makes a payment that is to be returned.',
  'l.child_number': 'All {{limit}} children of this batch are signed.',
  'l.child_network': '{{limit}} has no child transactions.',
  'l.withdraw_second_person':
    'One person can approve withdrawals of up to {{limit}} {{unit}} from an account within 24 hours. {{before}} {{unit}} has already been approved, and this one is worth {{value}} {{unit}}, so a second person must approve it.',
  'l.withdraw_changed':
    'The fields of this withdrawal are not those that its owner confirmed. Do not pay it; reject or return it and find out who changed it.',
  'l.withdraw_not_paid':
    'This transaction is not in a confirmed block of {{limit}} with a payment of exactly the amount that arrives, in the right coin, to the withdrawal’s address.',
  'l.withdraw_paid_unconfirmed':
    'This transaction pays the withdrawal, but {{limit}} has not confirmed it often enough yet. Try again in a few minutes.',
  'l.withdraw_txid_used': 'This transaction already belongs to another withdrawal.',
  'l.withdraw_restoring':
    'We are checking which withdrawals were already sent before a disruption. Until that is done, none can be canceled or rejected.',
  'l.proof_required': 'Upload the proof of your transfer.',
  'l.source_required': 'Enter where the deposit comes from, e.g. the name of the exchange.',
  'l.proofs_max': 'You already have {{limit}} reports under review. Wait for one to be decided.',
  'l.proof_decided': 'This report has already been decided.',
  'l.deposit_known': 'A deposit with this transaction ID has already been credited.',
  'l.arrival_known': 'This transaction is already recorded.',
  'l.screening_open':
    'A sanctions hit of this account waits for a decision or was confirmed, or no sanctions list was imported.',
  'l.screening_decided': 'This hit has already been decided.',
  'l.transfer_decided': 'This transfer has already been decided.',
  'l.transfer_short':
    'The hot wallet holds {{limit}} {{unit}}. Without {{value}} {{unit}} it could not pay approved withdrawals and its minimum.',
  'l.sweeps_paused': 'Sweeps of this network are already paused.',
  'l.arrival_decided': 'This transfer has already been decided.',
  'l.arrival_unconfirmed': 'The network has not confirmed this transfer yet, or has dropped it.',
  'l.arrival_unlisted': '{{unit}} is not listed on this network, so it can only be returned or dismissed.',
  'l.return_not_sent':
    'No signer sends {{unit}} on {{limit}}. Pay it back by hand and record the transaction of the return.',
  'l.return_registered':
    'This transfer was registered by hand, and the signer sends back only what the exchange has seen on the network itself. Pay it back by hand and record the transaction.',
  'l.return_no_sender':
    '{{limit}} does not name a single sender of this transfer. Enter the address to which it goes back.',
  'l.return_own_address': '{{value}} belongs to the exchange, so nothing would go back to the sender.',
  'l.return_too_small':
    'Of {{value}} {{unit}}, too little would remain after the fee of {{fee}} {{unit}}. At least {{limit}} {{unit}} can be sent back.',
  'l.screening_address': '{{value}} is on the sanctions list {{limit}}, so nothing is paid to it.',
  'l.screening_no_list': 'No sanctions list was imported, so nothing can be compared or paid.',
  'l.user_unknown': 'There is no user with this UID, email address, or ID.',
  'l.token_invalid':
    'There is no token with at most 18 decimals at this address, or the node cannot read it.',
  'l.token_listed': 'This is the contract of {{unit}}, which is listed: its transfers are seen already.',
  'l.token_watched': 'This token is watched already.',
  'l.tokens_max': 'At most {{limit}} tokens can be watched. End the watch of another one first.',
  'l.correction_known': 'Case {{value}} already contains this correction.',
  'l.debt_closed': 'This debt is closed.',
  'l.period_not_closable':
    '{{value|plain}} cannot be closed: months are closed in order after their end, and {{limit|plain}} is next.',
  'l.deposit_not_gone': 'Only a credited deposit that its network dropped can be claimed, and only once.',
  'l.txid_format': 'Enter the transaction ID as {{limit}} shows it: 64 digits and letters from a to f.',
  'l.entries_max': 'The maximum of {{limit}} entries has been reached. Reuse the code of an old one.',
  'l.support_wait': 'You can send up to {{limit}} requests per hour. Please try again later.',
  'l.support_pending':
    'You have already asked about this transfer. Request #{{number}} is waiting for our reply.',
  'l.support_closed': 'This request is closed. Please send a new one.',
  'l.support_decided': 'This request has already been decided.',
  'l.c_enteropenamt': 'Enter an amount for your position.',
  'l.c_a_transferTip': 'Enter the transfer amount.',
  'l.u_limit_min_low': 'The minimum is {{limit}} {{unit}}. You entered {{value}}.',
};
