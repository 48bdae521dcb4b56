/** Leaving the page, in one replaceable place. */
export const browser = {
  leaveTo(url: string) {
    window.location.assign(url)
  },
  reload() {
    window.location.reload()
  }
}
