import type { KycOwnerReason } from '@exchange/core/kyc.ts';
import type { Locale } from '@exchange/core/locale.ts';

/** Reasons for rejecting an identity verification, as texts for users; each says what the user should do. */
export const KYC_REASON_WORDS: Readonly<Record<Locale, Readonly<Record<KycOwnerReason, string>>>> = {
  'en-US': {
    unreadable: 'The photos cannot be read. Take them again in good light, in focus and without glare.',
    frontUnreadable:
      'The front cannot be read. Take the photo again in good light, in focus and without glare.',
    backUnreadable:
      'The back cannot be read. Take the photo again in good light, in focus and without glare.',
    sameSide: 'Both photos show the same side. Upload the back of the document.',
    notADocument: 'The photos do not show an ID card, passport, or driver’s license. Upload one of these.',
    expired: 'The document has expired. Use a valid one.',
    altered: 'The photos were edited, or show a screen or a copy. Take them of the original document.',
    nameDiffers: 'The name does not match the document. Enter it exactly as printed.',
    numberDiffers: 'The number does not match the document. Enter it exactly as printed.',
    countryDiffers:
      'The document was issued by a different country than the one you chose. Choose the country that issued it.',
    usedElsewhere:
      'This document has already been used for another account. If that account is not yours, contact support.',
    underage: 'You must be of legal age to verify your identity.',
    review: 'We could not verify your identity after our review. If you have questions, contact support.',
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
    underage: '须成年后方可完成身份认证。',
    review: '经审核，您的身份认证未能通过。如有疑问，请联系客服。',
  },
  'ko-KR': {
    unreadable: '사진을 알아볼 수 없습니다. 밝은 곳에서 선명하고 빛 반사 없이 다시 촬영하세요.',
    frontUnreadable: '앞면을 알아볼 수 없습니다. 밝은 곳에서 선명하고 빛 반사 없이 다시 촬영하세요.',
    backUnreadable: '뒷면을 알아볼 수 없습니다. 밝은 곳에서 선명하고 빛 반사 없이 다시 촬영하세요.',
    sameSide: '두 사진이 모두 같은 면입니다. 신분증 뒷면을 업로드하세요.',
    notADocument: '사진이 신분증, 여권 또는 운전면허증이 아닙니다. 이 중 하나를 업로드하세요.',
    expired: '만료된 신분증입니다. 유효한 신분증을 사용하세요.',
    altered: '편집되었거나 화면 또는 사본을 촬영한 사진입니다. 원본을 촬영하세요.',
    nameDiffers: '이름이 신분증과 다릅니다. 적힌 그대로 입력하세요.',
    numberDiffers: '번호가 신분증과 다릅니다. 적힌 그대로 입력하세요.',
    countryDiffers: '선택한 국가와 신분증 발급 국가가 다릅니다. 신분증을 발급한 국가를 선택하세요.',
    usedElsewhere: '이미 다른 계정에 사용된 신분증입니다. 본인이 사용한 적이 없다면 고객센터에 문의하세요.',
    underage: '미성년자는 인증할 수 없습니다.',
    review: '검토 결과 본인 인증이 승인되지 않았습니다. 문의 사항은 고객센터로 연락해 주세요.',
  },
  'ja-JP': {
    unreadable: '写真を判読できません。明るい場所で、鮮明に、反射が写り込まないように撮り直してください。',
    frontUnreadable:
      '表面を判読できません。明るい場所で、鮮明に、反射が写り込まないように撮り直してください。',
    backUnreadable:
      '裏面を判読できません。明るい場所で、鮮明に、反射が写り込まないように撮り直してください。',
    sameSide: '2枚の写真が同じ面です。書類の裏面をアップロードしてください。',
    notADocument:
      '写真が身分証明書、パスポート、運転免許証のいずれでもありません。いずれかをアップロードしてください。',
    expired: '書類の有効期限が切れています。有効なものをお使いください。',
    altered: '加工されているか、画面やコピーを撮影した写真です。原本を撮影してください。',
    nameDiffers: '氏名が書類と異なります。記載どおりに入力してください。',
    numberDiffers: '番号が書類と異なります。記載どおりに入力してください。',
    countryDiffers: '書類の発行国が、選択した国と異なります。書類を発行した国を選択してください。',
    usedElsewhere:
      'この書類はすでに別のアカウントで使われています。お心当たりがない場合はサポートにご連絡ください。',
    underage: '本人確認は成年の方に限らせていただきます。',
    review: '審査の結果、本人確認を完了できませんでした。ご不明な点はサポートにお問い合わせください。',
  },
};
