//! What a program without the standard library brings itself. Both cost a tenth of what the standard library's do.
#![cfg(target_arch = "wasm32")]

/// Small, and of constant time.
#[global_allocator]
static MEMORY: rlsf::SmallGlobalTlsf = rlsf::SmallGlobalTlsf::new();

/// Traps. `js/boot.js` sees the trap, and does what has to be done.
#[panic_handler]
fn stop(_: &core::panic::PanicInfo<'_>) -> ! {
    core::arch::wasm32::unreachable()
}
