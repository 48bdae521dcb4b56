// The sound of a new alarm.

let context: AudioContext | null = null

const TONES = [
  { hertz: 880, atSeconds: 0 },
  { hertz: 660, atSeconds: 0.18 }
]
const TONE_SECONDS = 0.16

/** Browsers allow sound only after a click: call it once in the handler of the click that switches the sound on. */
export function playTones(): void {
  if (typeof AudioContext === 'undefined') return
  context ??= new AudioContext()
  void context.resume()
  for (const { hertz, atSeconds } of TONES) {
    const startSeconds = context.currentTime + atSeconds
    const volume = new GainNode(context, { gain: 0.2 })
    volume.gain.setTargetAtTime(0, startSeconds + TONE_SECONDS / 2, 0.03)
    const tone = new OscillatorNode(context, { frequency: hertz })
    tone.connect(volume).connect(context.destination)
    tone.start(startSeconds)
    tone.stop(startSeconds + TONE_SECONDS)
  }
}
