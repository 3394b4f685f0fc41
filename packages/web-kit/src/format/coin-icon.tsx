import ada from 'cryptocurrency-icons/svg/color/ada.svg?url';
import btc from 'cryptocurrency-icons/svg/color/btc.svg?url';
import doge from 'cryptocurrency-icons/svg/color/doge.svg?url';
import eos from 'cryptocurrency-icons/svg/color/eos.svg?url';
import eth from 'cryptocurrency-icons/svg/color/eth.svg?url';
import ltc from 'cryptocurrency-icons/svg/color/ltc.svg?url';
import usdc from 'cryptocurrency-icons/svg/color/usdc.svg?url';
import usdt from 'cryptocurrency-icons/svg/color/usdt.svg?url';
import xrp from 'cryptocurrency-icons/svg/color/xrp.svg?url';

const ICONS: Readonly<Record<string, string>> = { ada, btc, doge, eos, eth, ltc, usdc, usdt, xrp };

/**
 * Background colours for coins without an icon, whose first letter is drawn in white with enough contrast.
 */
const BACKGROUNDS = ['#6d3bd1', '#0b6e99', '#a8442a', '#2f6f44', '#8a3b74', '#5a5f73'];

interface CoinIconProps {
  coin: string;
  /** Width and height of the icon in pixels; 24 by default. */
  size?: number | undefined;
}

/**
 * A coin's icon, or the coin's first letter on a coloured circle when there is no icon. Hidden from screen readers,
 * because the coin's name is shown beside it.
 */
export function CoinIcon({ coin, size = 24 }: CoinIconProps) {
  const icon = ICONS[coin.toLowerCase()];
  if (icon !== undefined) return <img src={icon} width={size} height={size} alt="" loading="lazy" />;
  const codeSum = Array.from(coin, (letter) => letter.charCodeAt(0)).reduce((sum, code) => sum + code, 0);
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true">
      <circle cx="16" cy="16" r="16" fill={BACKGROUNDS[codeSum % BACKGROUNDS.length]} />
      <text x="16" y="21.5" textAnchor="middle" fontSize="15" fontWeight="700" fill="#fff">
        {coin.slice(0, 1).toUpperCase()}
      </text>
    </svg>
  );
}
