/** The demo trader's support request, by language. */
export const ASKED = {
  'en-US': 'Which network should I choose for a USDT deposit from another exchange?',
  'zh-CN': '从其他交易所充币 USDT，应该选择哪个网络？',
  'ko-KR': '다른 거래소에서 USDT를 입금하려면 어떤 네트워크를 선택해야 하나요?',
  'ja-JP': '他の取引所からUSDTを入金する場合、どのネットワークを選べばよいですか？',
} as const;

export const ANSWERED = {
  'en-US':
    'Choose the network that the other exchange sends on. Both sides must use the same one. For USDT, TRC20 is usually the cheapest. If you are not sure, send a small amount first.',
  'zh-CN':
    '请选择对方交易所提币时使用的网络，双方必须一致。USDT 通常以 TRC20 的费用最低。如不确定，建议先转一笔小额试试。',
  'ko-KR':
    '상대 거래소가 출금에 사용하는 네트워크를 선택해 주세요. 양쪽 네트워크가 반드시 같아야 합니다. USDT는 보통 TRC20의 수수료가 가장 저렴합니다. 확실하지 않으면 먼저 소액을 보내 보세요.',
  'ja-JP':
    '送金元の取引所が出金に使うネットワークを選んでください。双方で同じネットワークにする必要があります。USDTの場合、通常はTRC20の手数料が最も安くなります。ご不安な場合は、まず少額でお試しください。',
} as const;

export const SUPPORT_TEXTS = [ASKED, ANSWERED] as const;
