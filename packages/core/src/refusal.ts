/**
 * What a request is refused for. A refusal is an expected response, not an error: where they exist it names
 * the refused field, the limit, and the submitted value. `key` selects the sentence shown to the user;
 * wire/words has one for every key and language.
 */

export type RefusalKind =
  | 'generic'
  | 'invalidField'
  | 'sessionEnded'
  | 'verificationRequired'
  | 'tradePassword'
  | 'secondFactor'
  | 'insufficientBalance'
  | 'belowMinimum'
  | 'aboveMaximum'
  | 'rateLimited'
  | 'closed'
  | 'quoteExpired'
  | 'duplicate'
  | 'securityHold'
  | 'region'
  | 'maintenance'
  | 'outcomeUnknown'
  | 'purchaseNotPermitted';

export const REFUSAL_KEYS = [
  // Refusal keys that belong to no single product.
  'l.error',
  'l.not_found',
  'l.restore_not_compared',
  'l.restore_not_settled',
  'l.session_ended',
  'l.rate_limited',
  'l.maintenance',
  'l.busy',
  'l.outcome_unknown',
  'l.outcome_to_check',
  'l.duplicate_key',
  'l.field_required',
  'l.field_invalid',
  'l.field_repeated',
  'l.field_too_long',
  'l.field_number',
  'l.field_min',
  'l.field_max',
  'l.field_decimals',
  'l.field_positive',
  'l.field_choice',
  'l.period_backwards',
  'l.body_form',
  'l.body_too_large',
  'l.body_encoding',
  'l.cross_site',
  // Refusal keys of operator endpoints.
  'l.operator_sign_in',
  'l.operator_wait',
  'l.operator_code_missing',
  'l.operator_code_wrong',
  'l.operator_code_used',
  'l.operator_codes_ended',
  'l.several_alone',
  'l.several_max',
  'l.several_value',
  'l.second_person',
  'l.above_ceiling',
  'l.ceiling_unpriced',
  'l.claimed',
  'l.proposal_over',
  'l.version_changed',
  'l.evidence_changed',
  'l.call_interrupted',
  'l.answer_not_stored',
  'l.retype_amount',
  'l.retype_destination',
  // Refusal keys of the live feed.
  'l.topic_unknown',
  'l.topics_max',
  'l.connections_max',
  // Refusal keys of registration, sign-in and security endpoints.
  'l.enter_email',
  'l.email_invalid',
  'l.email_taken',
  'l.enter_code',
  'l.code_invalid',
  'l.code_wait',
  'l.code_budget',
  'l.code_challenge',
  'l.challenge_invalid',
  'l.code_act',
  'l.ticket_invalid',
  'l.password_length',
  'l.password_letter',
  'l.password_digit',
  'l.password_common',
  'l.password_contains_email',
  'l.password_same',
  'l.password_mismatch',
  'l.password_wrong',
  'l.login_failed',
  'l.login_delayed',
  'l.agree_required',
  'l.user_agreement',
  'l.privacy_policy',
  'l.invite_unknown',
  'l.trade_password_format',
  'l.trade_password_obvious',
  'l.trade_password_missing',
  'l.trade_password_required',
  'l.trade_password_wrong',
  'l.trade_password_locked',
  'l.verification_required',
  'l.account_frozen',
  'l.account_shared',
  'l.notice_fixed',
  'l.nickname_format',
  'l.authenticator_required',
  'l.authenticator_wrong',
  'l.authenticator_bound',
  'l.authenticator_none',
  'l.authenticator_key',
  'l.passkey_failed',
  'l.passkey_cancelled',
  'l.passkey_expired',
  'l.passkey_counter',
  'l.passkey_known',
  'l.passkeys_max',
  'l.passkey_last',
  'l.email_same',
  'l.phrase_length',
  'l.freeze_link',
  'l.code_other_deed',
  // Refusal keys of market data and spot trading.
  'l.unknown_pair',
  'l.pair_closed',
  'l.pair_cancel_only',
  'l.asset_halted',
  'l.price_required',
  'l.price_decimals',
  'l.price_band_low',
  'l.price_band_high',
  'l.amount_required',
  'l.amount_or_total',
  'l.amount_decimals',
  'l.amount_min',
  'l.amount_max',
  'l.total_min',
  'l.insufficient_balance',
  'l.open_orders_max',
  'l.post_only_crosses',
  'l.fok_unfilled',
  'l.no_liquidity',
  'l.no_index',
  'l.self_trade',
  'l.order_not_open',
  'l.cancel_restricted',
  'l.time_in_force',
  'l.purchase_not_permitted',
  'l.stop_price_required',
  'l.stop_price_side',
  'l.stop_unexpected',
  'l.stop_orders_max',
  'l.no_last_price',
  'l.activation_side',
  'l.exits_order',
  'l.exits_required',
  'l.take_profit_side',
  'l.take_profit_side_sell',
  'l.stop_loss_side',
  'l.stop_loss_side_sell',
  'l.trail_required',
  'l.trail_min',
  'l.trail_max',
  'l.expire_required',
  'l.expire_past',
  'l.expire_far',
  'l.oco_prices',
  'l.amend_nothing',
  'l.amend_type',
  'l.amend_filled',
  'l.amend_not_less',
  'l.export_range',
  'l.export_running',
  'l.tax_computing',
  'l.tax_costs_max',
  'l.tax_acquired_late',
  'l.page_depth',
  'l.favorites_max',
  'l.push_endpoint',
  'l.push_devices_max',
  'l.alerts_max',
  'l.alert_reached',
  'l.alert_reached_index',
  'l.alert_moved',
  'l.alert_cross_source',
  'l.alert_history',
  'l.alert_order_once',
  'l.alert_order_late',
  // Refusal keys of conversions of small balances.
  'l.small_too_large',
  'l.small_nothing',
  'l.small_day',
  // Refusal keys of scaled ladders.
  'l.ladder_count',
  'l.ladder_range',
  'l.ladder_small',
  'l.ladder_crosses_buy',
  'l.ladder_crosses_sell',
  // Refusal keys of recurring buys.
  'l.recurring_max',
  'l.recurring_shares',
  'l.recurring_coins',
  'l.recurring_ended',
  // Refusal keys of API keys.
  'l.api_keys_max',
  'l.api_key_public',
  'l.api_key_address',
  'l.api_key_addresses_max',
  'l.api_key_withdraw_addresses',
  'l.withdraw_key_address',
  'l.withdraw_key_limit',
  'l.withdraw_name_used',
  // Refusal keys of sub-account endpoints.
  'l.sub_accounts_max',
  'l.sub_accounts_ever_max',
  'l.sub_account_name_used',
  'l.sub_account_not_empty',
  'l.sub_account_archived',
  'l.sub_account_same',
  'l.sub_account_key',
  // Refusal keys of the faucet, which gives out play money in demo mode.
  'l.faucet_wait',
  // Refusal keys shared by all investment products.
  'l.terms_changed',
  // Refusal keys of fixed-term products.
  'l.finance_soon',
  'l.finance_sold_out',
  'l.finance_ended',
  'l.finance_not_selling',
  'l.finance_agreement',
  'l.finance_user_max',
  'l.finance_product_max',
  'l.finance_not_matured',
  'l.finance_sold_below',
  // Refusal keys of funds.
  'l.fund_closed',
  'l.fund_leverage',
  'l.fund_not_covered',
  'l.fund_step',
  'l.fund_free',
  'l.fund_not_holding',
  'l.fund_liquidating',
  'l.fund_no_value',
  'l.fund_no_borrowing',
  'l.fund_sells_max',
  'l.fund_basket_fixed',
  // Refusal keys of file uploads and exports.
  'l.body_multipart',
  'l.file_required',
  'l.file_single',
  'l.file_too_large',
  'l.file_type',
  'l.file_animated',
  'l.file_damaged',
  'l.file_failed',
  'l.file_small',
  'l.file_pixels',
  'l.file_interlaced',
  'l.file_foreign',
  'l.file_day',
  'l.file_unknown',
  'l.convert_same',
  'l.convert_one_amount',
  'l.convert_inventory',
  'l.quote_expired',
  'l.mining_not_ended',
  'l.subscribe_soon',
  'l.subscribe_ended',
  'l.subscribe_begun',
  'l.subscribe_user_max',
  'l.subscribe_keeps_min',
  'l.subscribe_foreign',
  'l.asset_exists',
  // Refusal keys of identity verification.
  'l.kyc_name_required',
  'l.kyc_name_format',
  'l.kyc_country_required',
  'l.kyc_number_required',
  'l.kyc_number_format',
  'l.kyc_number_cn_length',
  'l.kyc_number_cn_date',
  'l.kyc_number_cn_check',
  'l.kyc_front_required',
  'l.kyc_back_required',
  'l.kyc_verified',
  'l.kyc_reviewing',
  'l.kyc_wait',
  'l.kyc_day',
  'l.kyc_decided',
  'l.kyc_not_opened',
  'l.kyc_note_internal',
  'l.kyc_document_taken',
  'l.kyc_link_used',
  // Refusal keys of seconds contracts.
  'l.seconds_closed',
  'l.seconds_region',
  'l.seconds_duration',
  'l.seconds_index',
  'l.seconds_risk',
  'l.seconds_open_max',
  'l.seconds_gap',
  'l.seconds_stake_own',
  'l.seconds_day_loss',
  'l.seconds_cool',
  'l.seconds_session',
  'l.seconds_reserve',
  // Refusal keys of deposits, withdrawals and their addresses.
  'l.network_closed',
  'l.deposits_paused',
  'l.deposits_paused_until',
  'l.withdrawals_paused',
  'l.withdrawals_paused_until',
  'l.address_invalid',
  'l.address_other_network',
  'l.address_burns',
  'l.address_contract',
  'l.address_own',
  'l.address_house',
  'l.recipient_required',
  'l.recipient_name_format',
  'l.recipient_unfunded',
  'l.recipient_tag',
  'l.recipient_closed',
  'l.memo_required',
  'l.memo_invalid',
  'l.memo_unexpected',
  'l.address_remark',
  'l.address_duplicate',
  'l.addresses_max',
  'l.address_waits',
  'l.address_unlisted',
  'l.address_required',
  'l.withdraw_hold',
  'l.withdraw_fee_changed',
  'l.withdraw_requests',
  'l.withdraw_often',
  'l.withdraw_day',
  'l.withdraw_month',
  'l.withdraw_not_pending',
  'l.fee_not_raised',
  'l.withdraw_second_person',
  'l.withdraw_changed',
  'l.withdraw_not_paid',
  'l.withdraw_paid_unconfirmed',
  'l.withdraw_txid_used',
  'l.withdraw_restoring',
  'l.proof_required',
  'l.source_required',
  'l.proofs_max',
  'l.proof_decided',
  'l.deposit_known',
  'l.arrival_known',
  'l.arrival_decided',
  'l.transfer_decided',
  'l.sweeps_paused',
  'l.screening_open',
  'l.screening_decided',
  'l.transfer_short',
  'l.arrival_unconfirmed',
  'l.arrival_unlisted',
  'l.user_unknown',
  'l.token_invalid',
  'l.token_listed',
  'l.token_watched',
  'l.tokens_max',
  'l.correction_known',
  'l.debt_closed',
  'l.period_not_closable',
  'l.deposit_not_gone',
  'l.txid_format',
  // Refusal keys of announcements and help articles.
  'l.entries_max',
  // Refusal keys of customer service.
  'l.support_wait',
  'l.support_decided',
  'l.support_pending',
  'l.support_closed',
  // Labels that the owner's specification requires.
  'l.c_enteropenamt',
  'l.c_a_transferTip',
  'l.u_limit_min_low',
] as const;

export type RefusalKey = (typeof REFUSAL_KEYS)[number];

export interface Refusal {
  readonly kind: RefusalKind;
  readonly key: RefusalKey;
  /**
   * Values for the placeholders of the sentence and for the response's `data`: `field`, `limit`, `value`,
   * `unit`, …
   */
  readonly parameters: Readonly<Record<string, string>>;
}

/** Creates a refusal. `parameters` must contain every placeholder in the sentence of `key`. */
export function refusal(kind: RefusalKind, key: RefusalKey, parameters: Refusal['parameters'] = {}): Refusal {
  return { kind, key, parameters };
}

/** Exception that carries a refusal to the request handler, which answers it. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly refusal: Refusal;

  constructor(reason: Refusal) {
    // Refusals can occur thousands of times a second; a stack trace would cost too much.
    const previousLimit = Error.stackTraceLimit;
    Error.stackTraceLimit = 0;
    super(`${reason.kind}: ${reason.key} ${JSON.stringify(reason.parameters)}`);
    Error.stackTraceLimit = previousLimit;
    this.refusal = reason;
  }
}

/** The exception for a request field whose value is not one of the allowed choices. */
export function invalidChoice(field: string, value: string): Refused {
  return new Refused(refusal('invalidField', 'l.field_choice', { field, value }));
}
