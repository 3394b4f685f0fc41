/** Remarks of the entries in the demo trader's address book. */
export const REMARKS = {
  own: {
    'en-US': 'TRC20 – my wallet',
    'zh-CN': 'TRC20 – 我的钱包',
    'ko-KR': 'TRC20 – 내 지갑',
    'ja-JP': 'TRC20 – マイウォレット',
  },
  coldWallet: {
    'en-US': 'Cold wallet',
    'zh-CN': '冷钱包',
    'ko-KR': '콜드월렛',
    'ja-JP': 'コールドウォレット',
  },
  savings: { 'en-US': 'Savings', 'zh-CN': '储蓄', 'ko-KR': '저축용', 'ja-JP': '貯蓄用' },
  hardware: {
    'en-US': 'New hardware wallet',
    'zh-CN': '新硬件钱包',
    'ko-KR': '새 하드웨어 지갑',
    'ja-JP': '新しいハードウェアウォレット',
  },
} as const;
