// The countdown of a session on an injected clock.
import t from 'tap'
import { END_AHEAD_MS, SessionWatch, type TabMessage } from '#client/app/session/session-watch.ts'
import type { SessionState } from '#shared/entities.ts'

const NOTICE_MS = 60_000
const left = (expires_in: number): SessionState => ({
  authenticated: expires_in > 0,
  expires_in,
  expired: expires_in === 0
})

interface Listener {
  watch: { receive: (message: TabMessage) => void }
}

/** A tab whose session has `secondsLeft`. Its clock moves only with `pass`. */
function openTab(
  secondsLeft: number,
  {
    hidden = false,
    others = [],
    trouble = null,
    final = false
  }: { hidden?: boolean; others?: Listener[]; trouble?: 'down' | 'vague' | null; final?: boolean } = {}
) {
  let nowMs = 1_000
  let wallMs = 5_000_000
  let timers: { at: number; work: () => void }[] = []
  const gateway = {
    endsAtMs: nowMs + secondsLeft * 1000,
    down: false,
    vague: false,
    asked: 0,
    renewed: 0,
    slowMs: 0,
    idleMs: 1_800_000,
    final
  }
  if (trouble) gateway[trouble] = true
  const happened: string[] = []
  const said: TabMessage[] = []
  const tab = { hidden }
  const answer = async (): Promise<SessionState> => {
    gateway.asked += 1
    if (gateway.down) throw new Error('unreachable')
    if (gateway.vague) return { authenticated: true, expires_in: Number.NaN, expired: false }
    const state = {
      ...left(Math.max(0, Math.ceil((gateway.endsAtMs - nowMs) / 1000))),
      ...(gateway.final && { final: true as const })
    }
    if (gateway.slowMs > 0) await new Promise<void>((resolve) => void after(gateway.slowMs, resolve))
    return state
  }
  function after(ms: number, work: () => void) {
    const timer = { at: nowMs + ms, work }
    timers.push(timer)
    return () => {
      timers = timers.filter((one) => one !== timer)
    }
  }
  const watch = new SessionWatch({
    noticeMs: NOTICE_MS,
    read: answer,
    async renew() {
      gateway.renewed += 1
      if (!gateway.down) gateway.endsAtMs = nowMs + gateway.idleMs
      return answer()
    },
    now: () => nowMs,
    wallNow: () => wallMs,
    after,
    hidden: () => tab.hidden,
    sendToTabs(message) {
      said.push(message)
      for (const other of others) other.watch.receive(message)
    },
    onExpired: (ending) => happened.push(ending),
    onEndedElsewhere: (ending) => happened.push(`elsewhere: ${ending}`),
    onGone: (ended) => happened.push(ended ? `gone: ${ended}` : 'gone')
  })
  const settled = () => new Promise((resolve) => setImmediate(resolve))
  async function pass(ms: number) {
    const until = nowMs + ms
    for (;;) {
      const next = timers.filter(({ at }) => at <= until).sort((a, b) => a.at - b.at)[0]
      const to = next?.at ?? until
      wallMs += Math.max(to - nowMs, 0)
      nowMs = Math.max(to, nowMs)
      if (!next) break
      timers = timers.filter((one) => one !== next)
      next.work()
      await settled()
    }
    await settled()
  }
  const sleep = (ms: number) => {
    wallMs += ms
    gateway.endsAtMs -= ms
  }
  const setClock = (ms: number) => {
    wallMs += ms
  }
  watch.start()
  return {
    watch,
    gateway,
    happened,
    said,
    tab,
    pass,
    settled,
    sleep,
    setClock,
    state: () => watch.store.getState()
  }
}

t.test('shows the prompt from 60 seconds before the end', async (t) => {
  const { pass, settled, state, gateway } = openTab(1800)
  await settled()
  t.equal(state().expiring, false)
  await pass(1_739_000)
  t.equal(state().expiring, false)
  await pass(1_000)
  t.equal(state().expiring, true)
  t.equal(state().endsAtMs, gateway.endsAtMs)
})

t.test('begins the countdown at 60 seconds although the gateway is slow', async (t) => {
  const { pass, settled, state, gateway } = openTab(1800)
  await settled()
  gateway.slowMs = 2_900
  await pass(1_739_999)
  t.equal(state().expiring, false)
  await pass(1)
  t.match(state(), { expiring: true, endsAtMs: gateway.endsAtMs })
})

t.test('asks the gateway only at the start, before the prompt and at the end', async (t) => {
  const { pass, settled, gateway, happened } = openTab(1800)
  await settled()
  t.equal(gateway.asked, 1)
  await pass(1_736_000)
  t.equal(gateway.asked, 1)
  await pass(33_000)
  t.equal(gateway.asked, 2)
  t.same(happened, [])
  await pass(31_000)
  t.ok(gateway.asked <= 4, `${gateway.asked} calls`)
  t.same(happened, ['expired'])
})

t.test('shows no prompt if another tab has extended the session', async (t) => {
  const { pass, settled, gateway, state, happened } = openTab(1800)
  await settled()
  await pass(1_000_000)
  gateway.endsAtMs += 1_000_000
  await pass(745_000)
  t.equal(state().expiring, false)
  t.equal(gateway.asked, 2)
  await pass(995_000)
  t.equal(state().expiring, true)
  t.same(happened, [])
})

t.test('signs out once, just before the session ends', async (t) => {
  const { pass, settled, gateway, happened } = openTab(61)
  await settled()
  await pass(61_000 - END_AHEAD_MS - 1)
  t.same(happened, [])
  await pass(1)
  t.same(happened, ['expired'])
  t.ok(gateway.endsAtMs > 0)
  await pass(600_000)
  t.same(happened, ['expired'])
})

t.test('Stay Connected closes the prompt here and in the other tabs', async (t) => {
  const other = openTab(61)
  const tab = openTab(61, { others: [other] })
  await tab.settled()
  await tab.pass(2_000)
  await other.pass(2_000)
  t.equal(tab.state().expiring, true)
  t.equal(other.state().expiring, true)
  await tab.watch.renew()
  t.equal(tab.state().expiring, false)
  t.equal(other.state().expiring, false)
})

t.test('typing does not extend the session within a minute of an answer, or under the prompt', async (t) => {
  const { pass, settled, watch, gateway, state } = openTab(1800)
  watch.active()
  await settled()
  await pass(59_999)
  watch.active()
  t.equal(gateway.renewed, 0)
  await pass(1_690_000)
  t.equal(state().expiring, true)
  watch.active()
  await settled()
  t.equal(gateway.renewed, 0)
  t.equal(state().expiring, true)
})

t.test('typing extends the session, with one call a minute', async (t) => {
  const { pass, settled, watch, gateway, state, happened } = openTab(1800)
  await settled()
  for (let seconds = 0; seconds < 3_600; seconds += 5) {
    await pass(5_000)
    watch.active()
    await settled()
  }
  t.equal(gateway.renewed, 60)
  t.equal(state().expiring, false)
  t.same(happened, [])
})

t.test('typing calls an unreachable gateway once a minute, and the countdown continues', async (t) => {
  const { pass, settled, watch, gateway, state } = openTab(1800)
  await settled()
  gateway.down = true
  for (let seconds = 0; seconds < 120; seconds += 1) {
    await pass(1_000)
    watch.active()
    await settled()
  }
  t.equal(gateway.renewed, 2)
  t.equal(state().endsAtMs, gateway.endsAtMs)
})

t.test('reports during the countdown and at the end that a session cannot be extended', async (t) => {
  const { pass, settled, state, happened, said } = openTab(61, { final: true })
  await settled()
  await pass(2_000)
  t.match(state(), { expiring: true, final: true })
  t.match(said.at(-1), { kind: 'left', final: true })
  await pass(60_000)
  t.same(happened, ['longest'])
  t.match(
    said.find(({ kind }) => kind === 'ended'),
    { ending: 'longest' }
  )
})

t.test('keeps the countdown when a renewal fails', async (t) => {
  const { pass, settled, gateway, state, watch } = openTab(61)
  await settled()
  await pass(2_000)
  const { endsAtMs } = state()
  gateway.down = true
  await t.rejects(watch.renew())
  t.match(state(), { expiring: true, endsAtMs })
})

t.test('ends with the reason from another tab, and makes no more calls', async (t) => {
  const { settled, watch, happened, gateway, pass } = openTab(1800)
  await settled()
  watch.receive({ kind: 'ended', ending: 'signed-out' })
  t.same(happened, ['elsewhere: signed-out'])
  await pass(3_600_000)
  t.equal(gateway.asked, 1)
})

t.test('reports a session that was ended from outside as gone, not expired', async (t) => {
  const { settled, watch, happened, gateway, pass } = openTab(1800)
  await settled()
  gateway.endsAtMs = 0
  await pass(61_000)
  watch.wake()
  await settled()
  t.same(happened, ['gone'])
})

t.test('a refused call ends the session only while the prompt shows', async (t) => {
  const { settled, watch, happened, pass } = openTab(1800)
  await settled()
  t.equal(watch.refused(), false)
  await pass(1_741_000)
  t.equal(watch.refused(), true)
  t.equal(watch.refused(), true)
  t.same(happened, ['expired'])
})

t.test('a hidden tab makes no call before the end, and follows other tabs', async (t) => {
  const { settled, state, gateway, pass, watch, happened, tab } = openTab(1800, { hidden: true })
  await settled()
  await pass(1_745_000)
  t.equal(gateway.asked, 1)
  t.equal(state().expiring, false)
  watch.wake()
  t.equal(gateway.asked, 1)
  watch.receive({ kind: 'left', leftMs: 50_000, final: false })
  t.equal(state().expiring, true)
  tab.hidden = false
  gateway.endsAtMs += 1_000_000
  watch.wake()
  await settled()
  t.equal(state().expiring, false)
  t.same(happened, [])
})

t.test('a hidden tab asks the gateway before it signs out', async (t) => {
  const { settled, gateway, pass, happened } = openTab(1800, { hidden: true })
  await settled()
  gateway.endsAtMs += 1_000_000
  await pass(1_801_000)
  t.same(happened, [])
  t.equal(gateway.asked, 2)
})

t.test('notices at once that the session ended while the machine slept', async (t) => {
  const { settled, sleep, watch, happened } = openTab(1800)
  await settled()
  sleep(3_600_000)
  watch.wake()
  await settled()
  t.same(happened, ['expired'])
})

for (const [what, jump] of [
  ['back by a year', -31_536_000_000],
  ['ahead by a year', 31_536_000_000]
] as const) {
  t.test(`ignores that the system clock is set ${what}`, async (t) => {
    const { settled, setClock, pass, state, happened } = openTab(1800)
    await settled()
    setClock(jump)
    await pass(1_700_000)
    t.same(happened, [])
    t.equal(state().expiring, false)
    await pass(41_000)
    t.equal(state().expiring, true)
    t.same(happened, [])
  })
}

t.test('keeps asking an unreachable gateway, and signs out at the end', async (t) => {
  const { settled, gateway, pass, happened, state } = openTab(100)
  await settled()
  gateway.down = true
  await pass(45_000)
  t.equal(state().expiring, true)
  gateway.down = false
  gateway.endsAtMs += 1_000_000
  await pass(20_000)
  t.equal(state().expiring, false)
  gateway.down = true
  await pass(1_100_000)
  t.same(happened, ['expired'])
})

for (const [what, trouble] of [
  ['is unreachable', 'down'],
  ['does not give the remaining time', 'vague']
] as const) {
  t.test(`asks a gateway that ${what} every 15 seconds until it answers`, async (t) => {
    const { settled, gateway, pass, happened, state } = openTab(1800, { trouble })
    await settled()
    t.equal(gateway.asked, 1)
    await pass(14_999)
    t.equal(gateway.asked, 1)
    await pass(1)
    t.equal(gateway.asked, 2)
    t.match(state(), { expiring: false, final: false })
    gateway[trouble] = false
    await pass(15_000)
    t.equal(gateway.asked, 3)
    await pass(1_000_000)
    t.equal(gateway.asked, 3)
    t.same(happened, [])
  })
}
