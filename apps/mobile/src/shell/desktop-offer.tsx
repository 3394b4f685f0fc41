import { useWords } from '@exchange/web-kit/i18n/words.ts';
import { pathOnSite, fitsOtherSite, chooseSite } from '@exchange/web-kit/shell/site.ts';
import { Button } from '@exchange/web-kit/ui/button.tsx';
import { useState } from 'react';
import { useLocation } from 'react-router';
import css from './desktop-offer.module.css';

/**
 * Offers users of devices other than phones (computers and tablets) to open the same screen on the desktop
 * site; the chosen site is stored on the device, and the offer does not appear again.
 */
export function DesktopOffer() {
  const t = useWords('shell');
  const { pathname, search } = useLocation();
  const [isOffered, setOffered] = useState(() => fitsOtherSite('mobile'));
  if (!isOffered) return null;
  const open = () => {
    chooseSite('desktop');
    location.assign(pathOnSite('desktop', pathname + search));
  };
  const stay = () => {
    chooseSite('mobile');
    setOffered(false);
  };
  return (
    <aside className={css.offer}>
      <p>{t('desktopOffer')}</p>
      <div className={css.actions}>
        <Button size="s" onClick={open}>
          {t('desktopOpen')}
        </Button>
        <Button size="s" look="quiet" onClick={stay}>
          {t('desktopStay')}
        </Button>
      </div>
    </aside>
  );
}
