//! What the methods do, in Chinese.

/// What a method does; `None` for a name that is none.
pub(crate) fn about(name: &str) -> Option<&'static str> {
    Some(match name {
        "sg" => "用记忆化搜索遍历一切可能,给出局面和每个着法的确切胜负和以及到终局的步数",
        "tablebase" => "在从终局倒推而得的全局面表中查找局面",
        "minimax" => {
            "教科书式的极大极小,双方各一个函数,可带或不带 alpha-beta 剪枝;给定深度时只搜索一次,否则逐层加深"
        }
        "negamax" => {
            "教科书式的极大极小,双方合用一个函数,可带或不带 alpha-beta 剪枝;给定深度时只搜索一次,否则逐层加深"
        }
        "alphabeta" => {
            "与同深度的极大极小值相同,但更快:逐层加深、置换表、零窗口、期望窗口、杀手着法、历史表、评估排序"
        }
        "selective" => "略过或浅搜不大可能重要的着法、加深被迫着法的 alphabeta;胜利的步数是上界",
        "expectiminimax" => "随机事件处取确切期望的 alphabeta,以 Star1 界剪枝",
        "mc_alphabeta" => {
            "带骰子、抽牌和隐藏手牌的 alphabeta:结果少时全部搜索,多时用各着法共用的样本,隐藏手牌用可能世界;值是各世界的均值,附标准误差"
        }
        "rollout_minimax" => "叶节点由模拟对局的均值判断的极大极小",
        "flat_mc" => "每个着法进行同样多次模拟对局",
        "mcts" => "蒙特卡洛树搜索,等可能地走向任一子节点",
        "uct" => "按置信上界选择的蒙特卡洛树搜索,带已证明的节点",
        "greedy" => "只看一步:走后评估最好的着法;有随机或隐藏时取 32 次抽样",
        "random" => "按种子随机选取合法着法",
        _ => return None,
    })
}
