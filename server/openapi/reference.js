// Fills the page with the reference for those who may read it; everybody else signs in first.
const answer = await fetch('/api/docs/content', { headers: { 'x-portal-csrf': '1' } })
if (answer.ok) {
  document.body.innerHTML = await answer.text()
  document.getElementById(location.hash.slice(1))?.scrollIntoView()
} else if (answer.status === 401) {
  location.replace('/auth/login?returnTo=/api/docs')
} else {
  document.querySelector('[role=status]').textContent =
    'The reference cannot be read right now. Reload the page.'
}
