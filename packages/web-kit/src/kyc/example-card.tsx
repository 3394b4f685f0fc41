import { useWords } from '../i18n/words.ts';

/** A drawn document: what a good picture shows. */
export function ExampleCard({ side }: { readonly side: 'front' | 'back' }) {
  const t = useWords('kyc');
  return (
    <svg
      width="132"
      height="84"
      viewBox="0 0 132 84"
      role="img"
      aria-label={t(side === 'front' ? 'exampleFront' : 'exampleBack')}
    >
      <rect x="1" y="1" width="130" height="82" rx="8" fill="var(--surface-1)" stroke="var(--line-strong)" />
      <rect x="1" y="1" width="130" height="16" rx="8" fill="var(--accent-soft)" />
      {side === 'front' ? (
        <>
          <rect x="12" y="26" width="34" height="44" rx="4" fill="var(--accent-soft)" />
          <circle cx="29" cy="41" r="8" fill="var(--accent)" />
          <path d="M15 70c2-12 26-12 28 0z" fill="var(--accent)" />
          {[28, 40, 52].map((y) => (
            <rect
              key={y}
              x="56"
              y={y}
              width={y === 52 ? 36 : 62}
              height="6"
              rx="3"
              fill="var(--line-strong)"
            />
          ))}
        </>
      ) : (
        <>
          <rect x="12" y="26" width="108" height="12" fill="var(--line-strong)" />
          {[48, 60].map((y) => (
            <rect
              key={y}
              x="12"
              y={y}
              width={y === 60 ? 60 : 108}
              height="6"
              rx="3"
              fill="var(--line-strong)"
            />
          ))}
        </>
      )}
    </svg>
  );
}
