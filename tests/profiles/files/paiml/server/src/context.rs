pub fn classify(a: i32, b: bool) -> i32 {
    if a > 1 && b {
        if a > 2 {
            for i in 0..a {
                if i % 2 == 0 {
                    return i;
                }
            }
        }
    }
    match a {
        1 => 1,
        2 => 2,
        3 => 3,
        _ => 0,
    }
}

pub fn plain() -> i32 {
    1
}
