// Runs before the first paint, so that neither the theme nor the layout flashes. app/theme.ts and lib/layout.ts take over.
;(() => {
  let choice = null
  try {
    choice = localStorage.getItem('portal.theme')
  } catch {}
  if (choice !== 'light' && choice !== 'dark') {
    choice = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.dataset.theme = choice
  document.documentElement.dataset.layout = matchMedia('(min-width: 1024px)').matches ? 'desktop' : 'mobile'
})()
