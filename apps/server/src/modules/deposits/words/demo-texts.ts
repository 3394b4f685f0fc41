/** Remarks of the demo trader's deposits, in every language. */
export const REMARKS = {
  exchange: {
    'en-US': 'From my other exchange',
    'zh-CN': '从其他交易所转入',
    'ko-KR': '다른 거래소에서 입금',
    'ja-JP': '他の取引所から',
  },
  coldWallet: {
    'en-US': 'From cold wallet',
    'zh-CN': '从冷钱包转入',
    'ko-KR': '콜드월렛에서 입금',
    'ja-JP': 'コールドウォレットから',
  },
  metaMask: {
    'en-US': 'From MetaMask',
    'zh-CN': '从 MetaMask 转入',
    'ko-KR': 'MetaMask에서 입금',
    'ja-JP': 'MetaMaskから',
  },
  savings: {
    'en-US': 'Monthly savings',
    'zh-CN': '每月储蓄',
    'ko-KR': '매월 저축',
    'ja-JP': '毎月の積立',
  },
  small: {
    'en-US': 'Below the minimum',
    'zh-CN': '低于最小充币量',
    'ko-KR': '최소 입금액 미만',
    'ja-JP': '最小入金額未満',
  },
} as const;
