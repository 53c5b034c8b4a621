use std::collections::HashMap;
use std::fmt;

#[derive(Debug, Clone, PartialEq)]
pub enum Value {
    Nothing,
    Flag(bool),
    Number(f64),
    Text(String),
    List(Vec<Value>),
}

pub struct Stack<T> {
    items: Vec<T>,
    limit: usize,
}

impl<T: Clone> Stack<T> {
    pub const fn new(limit: usize) -> Self {
        Self {
            items: Vec::new(),
            limit,
        }
    }

    pub fn push(&mut self, item: T) -> Result<(), String> {
        if self.items.len() >= self.limit {
            return Err(format!("the stack is full ({} items)", self.limit));
        }
        self.items.push(item);
        Ok(())
    }

    pub fn pop(&mut self) -> Option<T> {
        self.items.pop()
    }

    pub fn pop_many(&mut self, count: usize) -> Option<Vec<T>> {
        let mut taken = Vec::with_capacity(count);
        for _ in 0..count {
            taken.push(self.items.pop()?);
        }
        Some(taken)
    }

    pub fn drain_while<F>(&mut self, mut is_wanted: F) -> usize
    where
        F: FnMut(&T) -> bool,
    {
        let mut count = 0;
        while let Some(item) = self.items.last() {
            if !is_wanted(item) {
                break;
            }
            self.items.pop();
            count += 1;
        }
        count
    }
}

impl<T> Drop for Stack<T> {
    fn drop(&mut self) {
        if !self.items.is_empty() && self.limit > 0 {
            eprintln!("{} items are left", self.items.len());
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Nothing => write!(out, "nothing"),
            Value::Flag(true) => write!(out, "yes"),
            Value::Flag(false) => write!(out, "no"),
            Value::Number(number) if number.fract() == 0.0 => write!(out, "{}", *number as i64),
            Value::Number(number) => write!(out, "{number}"),
            Value::Text(text) => write!(out, "{text:?}"),
            Value::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    if index > 0 {
                        out.write_str(", ")?;
                    }
                    write!(out, "{value}")?;
                }
                Ok(())
            }
        }
    }
}

pub trait Shape {
    fn area(&self) -> f64;

    fn size(&self) -> &'static str {
        let area = self.area();
        if area < 1.0 {
            "small"
        } else if area < 100.0 {
            "middling"
        } else {
            "large"
        }
    }

    fn is_flat(&self) -> bool {
        self.area() == 0.0
    }
}

impl Shape for (f64, f64) {
    fn area(&self) -> f64 {
        self.0 * self.1
    }
}

fn run(words: &[&str], names: &HashMap<String, f64>) -> Result<f64, String> {
    let mut stack: Stack<f64> = Stack::new(64);
    for word in words {
        let value = match *word {
            "+" | "-" | "*" | "/" => {
                let (Some(right), Some(left)) = (stack.pop(), stack.pop()) else {
                    return Err(format!("{word} needs two numbers"));
                };
                match *word {
                    "+" => left + right,
                    "-" => left - right,
                    "*" => left * right,
                    _ if right == 0.0 => return Err("no number can be divided by 0".into()),
                    _ => left / right,
                }
            }
            name if names.contains_key(name) => names[name],
            other => other
                .parse::<f64>()
                .map_err(|fault| format!("{other}: {fault}"))?,
        };
        stack.push(value)?;
    }
    stack.pop().ok_or_else(|| "nothing is left".to_string())
}

fn depth(value: &Value) -> usize {
    match value {
        Value::List(values) => 1 + values.iter().map(|inner| depth(inner)).max().unwrap_or(0),
        _ => 0,
    }
}
