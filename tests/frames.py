"""Motion on a page that goes on by frames, not by the clock: a busy machine shows fewer frames in a second."""

FRAME_BY_FRAME = """() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...given) {
        const motion = animate.apply(this, given);
        const step = () => {
            motion.currentTime += 16;
            if (motion.currentTime < motion.effect.getComputedTiming().endTime) requestAnimationFrame(step);
            else motion.finish();
        };
        motion.pause();
        requestAnimationFrame(step);
        return motion;
    };
}"""
"""Lets every animation that begins from now on take 16 milliseconds a frame."""


def recorded(page, name):
    """Return what the page has noted in every frame, its last frame included.

    A page is done in the middle of a frame: what it shows then is noted in the next one only.
    """
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.evaluate(f"window.{name}")
