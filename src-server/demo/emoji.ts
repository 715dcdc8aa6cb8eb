/** Custom emoji that the teammates bring along, by name, as SVG. */
export const demoEmoji: Readonly<Record<string, string>> = {
  // The bird of the app's icon.
  dunlin: `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 48 48">
    <g transform="translate(24 25) scale(.33) rotate(-6)" stroke-linejoin="round" stroke-width="2">
      <path fill="#3fa2b5" stroke="#3fa2b5" d="M10 0C12-24 30-46 62-58 55-36 44-14 27 6Z"/>
      <path fill="#d5dfe2" stroke="#8b9ca3" d="M-54 38C-38 18-14 0 11-4 22-6 31-4 37 0 48 1 57 7 63 17 55 12 47 10 39 11 31 24 16 32-6 33.5-22 34.5-38 35-54 38Z"/>
      <path fill="#e07d4f" stroke="#e07d4f" d="M15 1C4-20-24-38-64-40-40-28-26-10-13 14 0 18.5 13 12.5 15 1Z"/>
    </g></svg>`,
  // A staff board with the water at its foot.
  low_water: `<svg xmlns="http://www.w3.org/2000/svg" width="64" height="64" viewBox="0 0 64 64">
    <rect x="24" y="4" width="18" height="54" rx="3" fill="#f7f3e9" stroke="#8f8672" stroke-width="2"/>
    <path d="M26 10h8M26 18h12M26 26h8M26 34h12M26 42h8" stroke="#b3372b" stroke-width="4"/>
    <path d="M2 52q8-6 15 0t15 0 15 0 15 0v10H2z" fill="#2f7f96"/></svg>`,
}
