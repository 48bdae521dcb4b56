const STYLE = `
:root { color-scheme: light dark; --accent: light-dark(#0b5cad, #7ab8ff); --line: light-dark(#d5dbe3, #38414f);
  --page: light-dark(#eef2f6, #12161c); --card: light-dark(#fff, #1b212a); --quiet: light-dark(#52606f, #a3afbd);
  --alert: light-dark(#a8071a, #ff9c9c) }
* { box-sizing: border-box }
body { margin: 0; padding: 1.5rem 1rem; min-height: 100vh; display: grid; place-content: center; justify-items: center;
  background: var(--page); font: 1rem/1.5 system-ui, sans-serif }
main { width: min(34rem, calc(100vw - 2rem)); background: var(--card); border: 1px solid var(--line);
  border-radius: .75rem; padding: clamp(1.25rem, 4vw, 2rem) }
.tag { display: inline-block; margin: 0; padding: .1rem .6rem; border-radius: 1rem; background: #ffd666; color: #3d2c00;
  font-size: .8rem; font-weight: 600 }
h1 { margin: .75rem 0 .25rem; font-size: 1.5rem; line-height: 1.2 }
h2 { margin: 1.75rem 0 .5rem; font-size: 1rem }
p { margin: 0; color: var(--quiet) }
[role=alert] { margin-top: 1rem; color: var(--alert); font-weight: 600 }
.people { display: grid; gap: .5rem; margin-top: 1.25rem }
button { font: inherit; cursor: pointer; border-radius: .5rem; min-height: 2.75rem; padding: .5rem .9rem;
  border: 1px solid var(--line); background: transparent; color: inherit; text-align: left }
button:hover, button:focus-visible { border-color: var(--accent) }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
.people button { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0 1rem }
.people small { color: var(--quiet) }
label { display: block; margin-top: .75rem; font-size: .9rem }
input { display: block; width: 100%; min-height: 2.75rem; margin-top: .2rem; padding: .4rem .7rem; font: inherit;
  color: inherit; background: var(--page); border: 1px solid var(--line); border-radius: .5rem }
.primary { width: 100%; margin-top: 1.1rem; background: var(--accent); border-color: var(--accent);
  color: light-dark(#fff, #06213d); font-weight: 600; text-align: center }
`

export function page(title: string, content: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeHtml(title)} – Sandbox</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body><main><p class="tag">Sandbox – sample data only</p>
<h1>${escapeHtml(title)}</h1>
${content}
</main></body>
</html>`
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
