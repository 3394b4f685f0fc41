export function Logo({ size = 24 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 64 64" aria-hidden="true">
      <path fill="#b794ff" d="M18 8 32 24 6 24Z" />
      <path fill="#d6c2ff" d="M18 8h28L32 24Z" />
      <path fill="#9b6cf2" d="M46 8 58 24H32Z" />
      <path fill="#8450e0" d="M6 24h16l10 34Z" />
      <path fill="#a67bf7" d="M22 24h20L32 58Z" />
      <path fill="#6d3bd1" d="M42 24h16L32 58Z" />
    </svg>
  );
}
