import { useState } from 'react';
import { headingOf, WORDS } from './words.ts';

/** A picture that was sent as evidence. Enlarged it fills the window and is scrolled; it is the same element, since one-time links answer once. */
export function Picture({ src, name }: { readonly src: string; readonly name: string }) {
  const [isLarge, setLarge] = useState(false);
  const [isFailed, setFailed] = useState(false);
  const title = headingOf(name);
  if (isFailed) return <p role="alert" className="error">{`${title}: ${WORDS.noPicture}`}</p>;
  return (
    <figure className={isLarge ? 'picture large' : 'picture'}>
      <button
        type="button"
        aria-expanded={isLarge}
        aria-label={`${WORDS.enlarge}: ${title}`}
        onClick={() => setLarge(!isLarge)}
        onKeyDown={({ key }) => key === 'Escape' && setLarge(false)}
      >
        <img src={src} alt={title} onError={() => setFailed(true)} />
      </button>
      <figcaption className="dim">{title}</figcaption>
    </figure>
  );
}
