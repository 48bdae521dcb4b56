// Runs before the first paint, so that neither the theme nor the layout flashes. app/theme.ts and lib/layout.ts take over.
;(() => {
  let choice = null
  let rail = null
  try {
    choice = localStorage.getItem('portal.theme')
    rail = localStorage.getItem('portal.rail')
  } catch {}
  if (choice !== 'light' && choice !== 'dark') {
    choice = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  }
  document.documentElement.dataset.theme = choice
  const isRail = rail === null ? !matchMedia('(min-width: 1440px)').matches : rail === 'true'
  document.documentElement.toggleAttribute('data-rail', isRail)
  document.documentElement.dataset.layout = matchMedia('(min-width: 1024px)').matches ? 'desktop' : 'mobile'
})()
