import type { KycReason } from '@exchange/core/kyc.ts';
import type { Locale } from '@exchange/core/locale.ts';

/** Why a submission was rejected, as its owner is told; each says what to do. */
export const KYC_REASON_WORDS: Readonly<Record<Locale, Readonly<Record<KycReason, string>>>> = {
  'en-US': {
    unreadable: 'The pictures cannot be read. Take them again in good light, sharp and without glare.',
    frontUnreadable: 'The front cannot be read. Take it again in good light, sharp and without glare.',
    backUnreadable: 'The back cannot be read. Take it again in good light, sharp and without glare.',
    sameSide: 'Both pictures show the same side. Upload the back of the document.',
    notADocument: 'The pictures do not show an ID card, passport, or driver’s license.',
    expired: 'The document has expired. Use one that is valid.',
    altered: 'The pictures were edited, or taken of a screen or copy. Take them of the original document.',
    nameDiffers: 'The name differs from the document. Enter it exactly as it is printed.',
    numberDiffers: 'The number differs from the document. Enter it exactly as it is printed.',
    countryDiffers: 'The document was issued by another country than you chose.',
    usedElsewhere:
      'This document was already used for another account. Contact support if that is not yours.',
    underage: 'You must be of age to be verified.',
  },
  'zh-CN': {
    unreadable: '照片无法辨认，请在光线充足处重新拍摄，保持清晰、无反光。',
    frontUnreadable: '正面照片无法辨认，请在光线充足处重新拍摄，保持清晰、无反光。',
    backUnreadable: '反面照片无法辨认，请在光线充足处重新拍摄，保持清晰、无反光。',
    sameSide: '两张照片为证件同一面，请上传证件反面。',
    notADocument: '照片中不是身份证、护照或驾驶证。',
    expired: '证件已过期，请使用有效证件。',
    altered: '照片经过编辑，或翻拍自屏幕、复印件，请拍摄证件原件。',
    nameDiffers: '姓名与证件不一致，请按证件填写。',
    numberDiffers: '证件号码与证件不一致，请按证件填写。',
    countryDiffers: '证件签发国家或地区与您选择的不一致。',
    usedElsewhere: '该证件已用于其他账户。如非您本人账户，请联系客服。',
    underage: '未成年人无法完成身份认证。',
  },
};
