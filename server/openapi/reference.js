// Fills the page with the reference. Redirects to sign-in without a session.
const answer = await fetch('/api/docs/content', { headers: { 'x-portal-csrf': '1' } })
if (answer.ok) {
  document.body.innerHTML = await answer.text()
  document.getElementById(location.hash.slice(1))?.scrollIntoView()
} else if (answer.status === 401) {
  location.replace('/auth/login?returnTo=/api/docs')
} else {
  document.querySelector('[role=status]').textContent =
    'The reference cannot be loaded right now. Reload the page.'
}
